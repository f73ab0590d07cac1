package dev.fairlead.http.jetty;

import dev.fairlead.protocol.time.LastingLoop;
import dev.fairlead.protocol.time.LimitedLog;

import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.NegotiatingServerConnection;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ends connections that are without a whole request for too long. One that is silent Jetty ends
 * itself, but not one that sends a byte of a head now and then. Thread-safe.
 */
final class SlowHeads extends AbstractLifeCycle implements Connection.Listener {
    private static final System.Logger LOGGER = System.getLogger(SlowHeads.class.getName());

    private final Runnable look = this::look;
    private final Runnable again = this::again;
    private final Scheduler scheduler;
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
    SlowHeads(Scheduler scheduler, Duration patience) {
        this.scheduler = scheduler;
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
        again();
    }

    private void again() {
        scheduler.schedule(look, patience.toMillis() / 4 + 1, TimeUnit.MILLISECONDS);
    }

    private void look() {
        try {
            connections.forEach(
                    (connection, between) -> {
                        if (between.isOver(patience)) {
                            connection.getEndPoint().close();
                        }
                    });
        } catch (Throwable e) { // after any failure, the next look must come
            LimitedLog.failed(LOGGER, Level.ERROR, "", e, "Slow connections were not closed");
        }
        if (isRunning()) {
            LastingLoop.schedule(again);
        }
    }
}
