package dev.fairlead.http;

import dev.fairlead.http.spi.Route;
import dev.fairlead.protocol.Serving;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.time.Timers;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** A server as it is mounted in somebody's HTTP server, which keeps the JVM alive. */
public final class HttpMount implements Serving {
    private final Timers timers;
    private final StreamableEndpoint endpoint;
    private final List<Route> routes;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    HttpMount(Settings settings, SessionHost host, Timers timers) {
        this.timers = timers;
        this.endpoint = new StreamableEndpoint(settings, host, timers);
        this.routes = List.of(new Route(settings.path, endpoint::handle));
    }

    /** What the adapter registers. */
    public List<Route> routes() {
        return routes;
    }

    /** How many sessions are open. */
    public int sessions() {
        return endpoint.sessions().size();
    }

    @Override
    public void await() throws InterruptedException {
        closed.await();
    }

    /**
     * Refuses new requests, waits for those under way as long as {@link HttpOptions#shutdownGrace}
     * says, then ends the sessions. An interrupt makes it wait no longer.
     */
    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            try {
                endpoint.drain();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            try {
                endpoint.close();
            } finally {
                timers.close();
                closed.countDown();
            }
        } else {
            awaitClosed();
        }
    }

    private void awaitClosed() {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
