package dev.fairlead.http.jetty;

import dev.fairlead.http.spi.EngineSettings;
import dev.fairlead.http.spi.Route;
import dev.fairlead.http.spi.TlsHttpEngine;
import dev.fairlead.protocol.time.Unanswered;

import org.eclipse.jetty.server.AbstractConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.eclipse.jetty.util.thread.VirtualThreadPool;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.BindException;
import java.util.List;
import java.util.concurrent.Executors;

/**
 * HTTP on Jetty: each request starts on a virtual thread, and none is held by an answer that waits.
 * Selectors are virtual threads from JDK 24 on, where a virtual thread that waits at a selector
 * holds no other, and platform threads before: 256 of them would leave none for requests.
 */
public final class JettyEngine implements TlsHttpEngine {
    private static final int VIRTUAL_SELECTORS = 24;

    /** The value {@code platform} selects platform threads for selectors, for tests. */
    private static final String LOOPS = "fairlead.loops";

    private static final int UNLIMITED = -1;

    /** The most platform threads beside selectors: acceptors, and those that open connections. */
    private static final int OTHER_THREADS = 256;

    /** Lets Jetty choose the number of acceptors and selectors. */
    private static final int DEFAULT = -1;

    /** Connections that may wait to be accepted: many clients may come at once. */
    private static final int BACKLOG = 1024;

    /** How many times longer than a silence the head of a request may take. */
    private static final int HEAD_PATIENCE = 2;

    /** Called by {@link java.util.ServiceLoader}. */
    public JettyEngine() {}

    @Override
    public String name() {
        return "jetty";
    }

    /** Every port is served. */
    @Override
    public boolean serves(EngineSettings settings) {
        return true;
    }

    @Override
    public Listening listen(EngineSettings settings, List<Route> routes) throws IOException {
        FieldEncoders.load();
        Server server = new Server(threads(settings));
        server.setErrorHandler(JettyEngine::sayNothing);
        Certificate certificate = settings.tls() == null ? null : new Certificate(settings.tls());
        ServerConnector connector = connector(server, settings, certificate);
        SlowHeads slowHeads = new SlowHeads(settings.clientTimeout().multipliedBy(HEAD_PATIENCE));
        connector.addBean(slowHeads);
        Unanswered unanswered = new Unanswered();
        server.setHandler(new RouteHandler(routes, slowHeads, unanswered));
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(settings.maxConnections(), connector));
        try {
            server.start();
        } catch (Exception e) { // Jetty declares no narrower one
            stop(server);
            throw failure(settings, e);
        }
        return new JettyListening(server, connector, certificate, unanswered);
    }

    private static ThreadPool threads(EngineSettings settings) {
        boolean virtual =
                Runtime.version().feature() >= VIRTUAL_SELECTORS
                        && !"platform".equals(System.getProperty(LOOPS));
        if (virtual) {
            VirtualThreadPool threads = new VirtualThreadPool(UNLIMITED);
            threads.setName("mcp-http");
            return threads;
        }
        QueuedThreadPool threads = new QueuedThreadPool(settings.ioThreads() + OTHER_THREADS, 1);
        threads.setName("mcp-http-selector");
        threads.setReservedThreads(0); // a selector stays on its thread
        threads.setVirtualThreadsExecutor(
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual()
                                .name("mcp-http", 0)
                                .inheritInheritableThreadLocals(false)
                                .factory()));
        return threads;
    }

    private static ServerConnector connector(
            Server server, EngineSettings settings, @Nullable Certificate certificate) {
        Protocols protocols = new Protocols(settings, certificate != null);
        ConnectionFactory[] factories = protocols.factories();
        if (certificate != null) {
            factories = AbstractConnectionFactory.getFactories(certificate.factory(), factories);
        }
        int selectors = settings.ioThreads() == 0 ? DEFAULT : settings.ioThreads();
        ServerConnector connector =
                new ServerConnector(server, null, null, null, DEFAULT, selectors, factories);
        connector.setHost(settings.host());
        connector.setPort(settings.port());
        connector.setIdleTimeout(settings.clientTimeout().toMillis());
        connector.setAcceptedTcpNoDelay(true);
        connector.setAcceptQueueSize(BACKLOG);
        return connector;
    }

    private static IOException failure(EngineSettings settings, Exception cause) {
        for (Throwable next = cause; next != null; next = next.getCause()) {
            if (next instanceof BindException taken) {
                return settings.cannotListen(taken);
            }
        }
        return new IOException("the HTTP engine did not start: " + cause.getMessage(), cause);
    }

    /** Answers requests that Jetty itself refuses with their status alone. */
    private static boolean sayNothing(Request request, Response response, Callback callback) {
        callback.succeeded();
        return true;
    }

    static void stop(Server server) {
        try {
            server.stop();
        } catch (Exception e) { // Jetty declares no narrower one
            System.getLogger(JettyEngine.class.getName())
                    .log(System.Logger.Level.WARNING, "The HTTP engine did not stop cleanly", e);
        }
    }
}
