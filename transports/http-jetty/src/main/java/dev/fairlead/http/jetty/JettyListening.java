package dev.fairlead.http.jetty;

import dev.fairlead.http.spi.EngineSettings.Tls;
import dev.fairlead.http.spi.HttpEngine;
import dev.fairlead.protocol.time.Unanswered;

import org.eclipse.jetty.http2.SessionContainer;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;

/** A Jetty server at work. */
final class JettyListening implements HttpEngine.Listening {
    private final Server server;
    private final ServerConnector connector;
    private final @Nullable Certificate certificate;
    private final Unanswered unanswered;
    private final int port;

    /**
     * @param certificate null where there is no TLS
     */
    JettyListening(
            Server server,
            ServerConnector connector,
            @Nullable Certificate certificate,
            Unanswered unanswered) {
        this.server = server;
        this.connector = connector;
        this.certificate = certificate;
        this.unanswered = unanswered;
        this.port = connector.getLocalPort();
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void stopAccepting(Duration limit) {
        connector.setAccepting(false); // else its acceptor spins until the server has stopped
        connector.close();
        for (ConnectionFactory protocol : connector.getConnectionFactories()) {
            if (protocol instanceof HTTP2ServerConnectionFactory http2) {
                http2.getBean(SessionContainer.class).shutdown();
            }
        }
    }

    @Override
    public void renew(Tls tls) throws IOException {
        if (certificate == null) {
            throw new IOException("there is no TLS that could have another certificate");
        }
        certificate.renew(tls);
    }

    @Override
    public void awaitAnswered(Duration limit) throws InterruptedException {
        unanswered.awaitNone(limit);
    }

    @Override
    public void close() {
        JettyEngine.stop(server);
    }
}
