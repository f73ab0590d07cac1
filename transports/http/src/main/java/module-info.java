/** Streamable HTTP: the engine-neutral endpoint, sessions, event store, and the client side. */
module dev.fairlead.http {
    requires transitive dev.fairlead.protocol;
    requires transitive java.net.http;
    requires static transitive org.jspecify;

    exports dev.fairlead.http;
    exports dev.fairlead.http.client;
    exports dev.fairlead.http.console;
    exports dev.fairlead.http.options;
    exports dev.fairlead.http.spi;
    exports dev.fairlead.http.blocking to
            dev.fairlead.auth;
    exports dev.fairlead.http.endpoint to
            dev.fairlead.console,
            dev.fairlead.http.legacy;
    exports dev.fairlead.http.exchange to
            dev.fairlead.console;
    exports dev.fairlead.http.page to
            dev.fairlead.auth;
    exports dev.fairlead.http.session to
            dev.fairlead.http.legacy;
    exports dev.fairlead.http.sse to
            dev.fairlead.http.legacy;
    exports dev.fairlead.http.stream to
            dev.fairlead.http.legacy;

    uses dev.fairlead.http.spi.HttpEngine;
    uses dev.fairlead.http.spi.TlsHttpEngine;
    uses dev.fairlead.http.sse.LegacyTransport;
}
