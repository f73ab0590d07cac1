/** The records of the Model Context Protocol, its revisions, and the connection engine. */
module dev.fairlead.protocol {
    requires transitive dev.fairlead.jsonrpc;
    requires static transitive org.jspecify;

    exports dev.fairlead.protocol;
}
