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
    private final Premises premises;
    private final List<MountedEndpoint> endpoints;
    private final List<Route> routes;
    private final Rounds rounds;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    HttpMount(Settings settings, SessionHost host, Timers timers) {
        this.timers = timers;
        premises = Premises.of(settings, host, timers);
        endpoints = endpoints(settings);
        routes = endpoints.stream().flatMap(endpoint -> endpoint.routes().stream()).toList();
        rounds = new Rounds(settings, timers, this::round);
        rounds.start();
    }

    private List<MountedEndpoint> endpoints(Settings settings) {
        MountedEndpoint streamable = new StreamableEndpoint(premises);
        LegacyPaths paths = settings.legacySse;
        return paths == null
                ? List.of(streamable)
                : List.of(streamable, new LegacyEndpoint(premises, paths.nextTo(settings.path)));
    }

    private void round() {
        premises.writers().beat();
        endpoints.forEach(MountedEndpoint::round);
    }

    /** What the adapter registers. */
    public List<Route> routes() {
        return routes;
    }

    /** How many sessions are open. */
    public int sessions() {
        return endpoints.stream().mapToInt(MountedEndpoint::openSessions).sum();
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
                premises.open().drain(premises.settings().shutdownGrace);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            try {
                rounds.close();
                endpoints.forEach(MountedEndpoint::close);
                premises.open().forEach(OpenExchanges.Open::sessionClosed); // in no session
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
