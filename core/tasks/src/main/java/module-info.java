/** Tasks: the state machine, the engine that runs them, and the contract of their stores. */
module dev.fairlead.tasks {
    requires transitive dev.fairlead.protocol;
    requires static transitive org.jspecify;

    exports dev.fairlead.tasks;
    exports dev.fairlead.tasks.engine to
            dev.fairlead.peer,
            dev.fairlead.server,
            dev.fairlead.client,
            dev.fairlead.jdbc,
            dev.fairlead.testing;
    exports dev.fairlead.tasks.receiver to
            dev.fairlead.peer,
            dev.fairlead.server,
            dev.fairlead.client;
    exports dev.fairlead.tasks.requestor to
            dev.fairlead.peer,
            dev.fairlead.server,
            dev.fairlead.client;

    opens dev.fairlead.tasks.engine to
            dev.fairlead.json; // questions that travel in a request state
}
