/** MCP for Java: server, client, stdio, HTTP and the embedded HTTP engine in one dependency. */
module dev.fairlead {
    requires transitive dev.fairlead.server;
    requires transitive dev.fairlead.client;
    requires transitive dev.fairlead.stdio;
    requires transitive dev.fairlead.http;
    requires dev.fairlead.http.jetty;
    requires dev.fairlead.http.legacy;
    requires dev.fairlead.http.loop;
    requires static transitive org.jspecify;
}
