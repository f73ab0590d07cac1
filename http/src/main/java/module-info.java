/** Streamable HTTP: the engine-neutral endpoint, sessions, event store, and the client side. */
module dev.fairlead.http {
    requires transitive dev.fairlead.protocol;
    requires java.net.http;
    requires static transitive org.jspecify;
}
