/** MCP clients: typed calls and handlers for the questions of servers. */
module dev.fairlead.client {
    requires transitive dev.fairlead.tasks;
    requires dev.fairlead.peer;
    requires static transitive org.jspecify;

    exports dev.fairlead.client;
    exports dev.fairlead.client.group;

    opens dev.fairlead.client to
            dev.fairlead.json;
    opens dev.fairlead.client.handlers to
            dev.fairlead.json;
}
