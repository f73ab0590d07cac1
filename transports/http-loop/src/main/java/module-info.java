/** The embedded HTTP engine for plain HTTP/1.1. */
module dev.fairlead.http.loop {
    requires transitive dev.fairlead.http;
    requires static transitive org.jspecify;

    provides dev.fairlead.http.spi.HttpEngine with
            dev.fairlead.http.loop.LoopEngine;
}
