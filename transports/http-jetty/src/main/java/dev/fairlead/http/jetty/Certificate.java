package dev.fairlead.http.jetty;

import dev.fairlead.http.spi.EngineSettings.Tls;

import org.eclipse.jetty.util.ssl.SslContextFactory;

import java.io.IOException;

/**
 * The certificate by which a server proves its identity; it may change while the server runs.
 * Thread-safe.
 */
final class Certificate {
    private final SslContextFactory.Server factory = new SslContextFactory.Server();
    private Tls tls;

    Certificate(Tls tls) {
        this.tls = tls;
        factory.setIncludeProtocols("TLSv1.3", "TLSv1.2");
        use(tls, factory);
    }

    SslContextFactory.Server factory() {
        return factory;
    }

    /**
     * Uses another certificate for new connections. Sessions of TLS are not resumed, so that all
     * new connections see it.
     *
     * @throws IOException if it cannot be used; the former one stays in use
     */
    synchronized void renew(Tls renewed) throws IOException {
        try {
            factory.reload(changed -> use(renewed, changed));
            tls = renewed;
        } catch (Exception e) { // Jetty declares no narrower one
            back();
            throw new IOException("the certificate cannot be used", e);
        }
    }

    private void back() throws IOException {
        try {
            factory.reload(changed -> use(tls, changed));
        } catch (Exception e) { // Jetty declares no narrower one
            throw new IOException("the certificate before cannot be used any more", e);
        }
    }

    private static void use(Tls tls, SslContextFactory factory) {
        factory.setKeyStore(tls.keys());
        factory.setKeyStorePassword(tls.password());
    }
}
