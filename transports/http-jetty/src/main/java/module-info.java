/** The embedded HTTP engine on Jetty core. */
module dev.fairlead.http.jetty {
    requires transitive dev.fairlead.http;
    requires org.eclipse.jetty.alpn.server;
    requires org.eclipse.jetty.http2.server;
    requires org.eclipse.jetty.server;
    requires static transitive org.jspecify;

    provides dev.fairlead.http.spi.TlsHttpEngine with
            dev.fairlead.http.jetty.JettyEngine;
}
