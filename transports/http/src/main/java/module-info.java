/** Streamable HTTP: the engine-neutral endpoint, sessions, event store, and the client side. */
module dev.fairlead.http {
    requires transitive dev.fairlead.protocol;
    requires transitive java.net.http;
    requires static transitive org.jspecify;

    exports dev.fairlead.http;
    exports dev.fairlead.http.client;
    exports dev.fairlead.http.options;
    exports dev.fairlead.http.spi;

    uses dev.fairlead.http.spi.HttpEngine;
}
