/** MCP servers: tools, resources, prompts, completion, logging and sessions. */
module dev.fairlead.server {
    requires transitive dev.fairlead.tasks;
    requires dev.fairlead.peer;
    requires static transitive org.jspecify;

    exports dev.fairlead.server;
    exports dev.fairlead.server.annotation;
    exports dev.fairlead.server.handler;
    exports dev.fairlead.server.call to
            dev.fairlead.gateway;

    // Records that are not public are bound there.
    opens dev.fairlead.server.notifications to
            dev.fairlead.json;
    opens dev.fairlead.server.requeststate to
            dev.fairlead.json;
    opens dev.fairlead.server.session to
            dev.fairlead.json;
    opens dev.fairlead.server.tasks to
            dev.fairlead.json;
}
