package dev.fairlead.http.jetty;

import dev.fairlead.http.spi.HttpEngine;

import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

import java.time.Duration;

/** A Jetty server at work. */
final class JettyListening implements HttpEngine.Listening {
    private final Server server;
    private final ServerConnector connector;
    private final Unanswered unanswered;
    private final int port;

    JettyListening(Server server, ServerConnector connector, Unanswered unanswered) {
        this.server = server;
        this.connector = connector;
        this.unanswered = unanswered;
        this.port = connector.getLocalPort();
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void stopAccepting() {
        connector.close();
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
