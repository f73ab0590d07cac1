/** OAuth for MCP over HTTP: resource servers, clients, and a proxy between both. */
module dev.fairlead.auth {
    requires transitive dev.fairlead.http;
    requires static transitive org.jspecify;
    requires com.nimbusds.jose.jwt;
    requires static java.keyring; // for TokenStore.keyring
    requires jdk.httpserver;
    requires oauth2.oidc.sdk;

    exports dev.fairlead.auth;
    exports dev.fairlead.auth.client;
    exports dev.fairlead.auth.proxy;
    exports dev.fairlead.auth.server;

    // Records that are not public are bound there.
    opens dev.fairlead.auth.proxy to
            dev.fairlead.json;
}
