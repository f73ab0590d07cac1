/** One MCP server that fronts several. */
module dev.fairlead.gateway {
    requires transitive dev.fairlead.client;
    requires transitive dev.fairlead.server;
    requires dev.fairlead.peer;
    requires static transitive org.jspecify;

    exports dev.fairlead.gateway;
}
