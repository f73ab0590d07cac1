/** JSON-RPC 2.0 messages, ids, errors and the contract of a byte-pipe transport. */
module dev.fairlead.jsonrpc {
    requires transitive dev.fairlead.json;
    requires static transitive org.jspecify;

    exports dev.fairlead.jsonrpc;
}
