package dev.fairlead.http.jetty;

import dev.fairlead.protocol.time.PeriodicTask;
import dev.fairlead.protocol.time.Timers;

import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.NegotiatingServerConnection;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.component.AbstractLifeCycle;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ends connections that are without a whole request for too long. One that is silent Jetty ends
 * itself, but not one that sends a byte of a head now and then. Thread-safe.
 */
final class SlowHeads extends AbstractLifeCycle implements Connection.Listener {
    private final Timers timers = Timers.system("mcp-http-heads");
    private final Duration patience;
    private final Map<Connection, Between> connections = new ConcurrentHashMap<>();

    /** The requests of a connection, and the start of the pause between them. */
    private static final class Between {
        private final AtomicInteger requests = new AtomicInteger();
        private volatile long since = System.nanoTime();

        private void ended() {
            since = System.nanoTime();
            requests.decrementAndGet();
        }

        private boolean isOver(Duration patience) {
            return requests.get() == 0 && System.nanoTime() - since > patience.toNanos();
        }
    }

    /**
     * @param patience how long a connection may be without a request
     */
    SlowHeads(Duration patience) {
        this.patience = patience;
    }

    @Override
    public void onOpened(Connection connection) {
        // One that carries requests, or that finds out first which kind of them.
        if (connection instanceof ConnectionMetaData
                || connection instanceof NegotiatingServerConnection) {
            connections.put(connection, new Between());
        }
    }

    @Override
    public void onClosed(Connection connection) {
        connections.remove(connection);
    }

    /** A request has come whole as far as its head goes. */
    void requested(Request request) {
        Between between = connections.get(request.getConnectionMetaData().getConnection());
        if (between != null) {
            between.requests.incrementAndGet();
            Request.addCompletionListener(request, failure -> between.ended());
        }
    }

    @Override
    protected void doStart() {
        Duration interval = patience.dividedBy(4).plusMillis(1);
        new PeriodicTask("mcp-http-heads", interval, timers, this::look).start();
    }

    private void look() {
        connections.forEach(
                (connection, between) -> {
                    if (between.isOver(patience)) {
                        connection.getEndPoint().close();
                    }
                });
    }

    @Override
    protected void doStop() {
        timers.close();
    }
}
