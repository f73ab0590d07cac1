/** HTTP+SSE, the deprecated transport of revision 2024-11-05, for servers and clients. */
module dev.fairlead.http.legacy {
    requires transitive dev.fairlead.http;
    requires static transitive org.jspecify;

    provides dev.fairlead.http.sse.LegacyTransport with
            dev.fairlead.http.legacy.SseTransport;
}
