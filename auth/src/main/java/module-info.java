/** OAuth for MCP over HTTP: resource servers and clients. */
module dev.fairlead.auth {
    requires transitive dev.fairlead.http;
    requires static transitive org.jspecify;
    requires com.nimbusds.jose.jwt;
    requires jdk.httpserver;
    requires oauth2.oidc.sdk;
    requires org.apache.httpcomponents.client5.httpclient5;
    requires org.apache.httpcomponents.core5.httpcore5;

    exports dev.fairlead.auth;
    exports dev.fairlead.auth.client;
    exports dev.fairlead.auth.server;
}
