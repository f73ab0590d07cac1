/** Parts that servers and clients share. */
module dev.fairlead.peer {
    requires transitive dev.fairlead.tasks;
    requires static transitive org.jspecify;

    exports dev.fairlead.peer to
            dev.fairlead.server,
            dev.fairlead.client;
    exports dev.fairlead.peer.builder to
            dev.fairlead.server,
            dev.fairlead.client,
            dev.fairlead.gateway,
            dev.fairlead.testing;

    opens dev.fairlead.peer to
            dev.fairlead.json;
}
