/** The newline-framed transport over standard streams, and the launcher of child processes. */
module dev.fairlead.stdio {
    requires transitive dev.fairlead.jsonrpc;
    requires static transitive org.jspecify;
}
