package dev.fairlead.http.client;

import dev.fairlead.http.blocking.BlockingClient;
import dev.fairlead.http.blocking.BlockingExchange;
import dev.fairlead.http.blocking.OutgoingRequest;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The virtual threads and the HTTP exchanges of one connection. Safe for use by several threads.
 */
final class ExchangePool implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(ExchangePool.class.getName());
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    private final ExecutorService threads;
    private final ConnectorOptions options;
    private final BlockingClient client;
    private final Set<CancellableExchange> open = ConcurrentHashMap.newKeySet();
    private volatile boolean stopped;
    private volatile @Nullable URI location; // of the endpoint, where it is another

    ExchangePool(ConnectorOptions options, ThreadFactory factory) {
        this.options = options;
        threads = Executors.newThreadPerTaskExecutor(factory);
        client = new BlockingClient(options, threads);
    }

    /** Creates an exchange over the connections that are kept here. */
    BlockingExchange exchange(OutgoingRequest request) {
        return client.exchange(request);
    }

    /** Returns whether a request may be sent on a connection that served another before. */
    boolean mayKeepConnections() {
        return client.hasAnswers();
    }

    /**
     * Returns the URL to use for this one: the same, or the one to which the server has redirected
     * it.
     */
    URI located(URI uri) {
        URI moved = location;
        return moved != null && uri.equals(options.endpoint) ? moved : uri;
    }

    /** The server serves this URL at another, which is asked at once from now on. */
    void moved(URI from, URI to) {
        if (from.equals(options.endpoint)) {
            location = to;
        }
    }

    /** A new exchange; a stopped one if all are stopped. */
    CancellableExchange open() {
        CancellableExchange exchange = new CancellableExchange(this, options);
        open.add(exchange);
        if (stopped) {
            exchange.stop();
        }
        return exchange;
    }

    /** Returns how many exchanges are open. */
    int count() {
        return open.size();
    }

    void forget(CancellableExchange exchange) {
        open.remove(exchange);
    }

    /** Stops all exchanges, and those that are still to be opened. */
    void stop() {
        stopped = true;
        open.forEach(CancellableExchange::stop);
    }

    /** Opens an exchange for an action after all others were stopped. */
    CancellableExchange last() {
        return new CancellableExchange(this, options);
    }

    /** Runs an action on a thread of its own; does nothing if the connection is closed. */
    void run(Runnable action) {
        try {
            threads.execute(action);
        } catch (RejectedExecutionException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "Closed before it could run", e);
        }
    }

    /** Closes the kept connections and ends the threads; also drops exchanges that never ran. */
    @Override
    public void close() {
        stop();
        open.forEach(CancellableExchange::close);
        client.close();
        try {
            threads.shutdown();
            if (!threads.awaitTermination(FAREWELL.toNanos(), TimeUnit.NANOSECONDS)) {
                LimitedLog.log(
                        LOGGER,
                        System.Logger.Level.WARNING,
                        options.place(),
                        "A thread of an HTTP connection has not ended");
            }
        } catch (InterruptedException e) {
            threads.shutdown();
            Thread.currentThread().interrupt();
        }
    }
}
