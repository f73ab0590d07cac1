/** The newline-framed transport over standard streams, and the launcher of child processes. */
module dev.fairlead.stdio {
    requires transitive dev.fairlead.protocol;
    requires static transitive org.jspecify;

    exports dev.fairlead.stdio;
}
