package dev.fairlead.http.client;

import dev.fairlead.protocol.time.LimitedLog;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLContext;

/**
 * The virtual threads and the HTTP exchanges of one connection. Safe for use by several threads.
 */
final class ExchangePool implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(ExchangePool.class.getName());
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    private final ExecutorService threads;
    private final ConnectorOptions options;
    private final HttpClient client;
    private final boolean ownsClient;
    private final Set<CancellableExchange> open = ConcurrentHashMap.newKeySet();
    private volatile boolean stopped;

    ExchangePool(ConnectorOptions options, ThreadFactory factory) {
        this.options = options;
        threads = Executors.newThreadPerTaskExecutor(factory);
        HttpClient given = options.httpClient;
        ownsClient = given == null;
        client = given == null ? newClient(options) : given;
    }

    /** For HTTP/1.1, since over one connection of HTTP/2 the server bounds the open streams. */
    private HttpClient newClient(ConnectorOptions options) {
        HttpClient.Builder builder =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(options.connectTimeout)
                        .executor(threads);
        SSLContext tls = options.tls;
        return (tls == null ? builder : builder.sslContext(tls)).build();
    }

    /** A new exchange; a stopped one if all are stopped. */
    CancellableExchange open() {
        CancellableExchange exchange = new CancellableExchange(this, client, options);
        open.add(exchange);
        if (stopped) {
            exchange.stop();
        }
        return exchange;
    }

    /** How many exchanges are open. */
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

    /** An exchange for what is to be done after all others were stopped. */
    CancellableExchange last() {
        return new CancellableExchange(this, client, options);
    }

    /** Runs an action on a thread of its own; does nothing if the connection is closed. */
    void run(Runnable action) {
        try {
            threads.execute(action);
        } catch (RejectedExecutionException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "Closed before it could run", e);
        }
    }

    /** Ends the threads, with the client if it is our own; also forgets what never ran. */
    @Override
    public void close() {
        stop();
        open.forEach(CancellableExchange::close);
        try {
            if (ownsClient) {
                client.shutdownNow();
                client.awaitTermination(FAREWELL);
            }
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
