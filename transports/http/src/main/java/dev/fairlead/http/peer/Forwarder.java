package dev.fairlead.http.peer;

import dev.fairlead.http.blocking.BlockingClient;
import dev.fairlead.http.blocking.Routes;
import dev.fairlead.http.blocking.Via;
import dev.fairlead.http.endpoint.Counters;
import dev.fairlead.http.endpoint.EndpointContext;
import dev.fairlead.http.endpoint.HttpRefusal;
import dev.fairlead.http.endpoint.HttpRefusalException;
import dev.fairlead.http.endpoint.OpenExchanges;
import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.SessionStore;
import dev.fairlead.protocol.relay.HandlerThread;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;

/**
 * Forwards exchanges to the nodes that own their sessions. Each occupies one virtual thread, also
 * while its stream is silent. Thread-safe.
 */
public final class Forwarder {
    private static final Duration CONNECT = Duration.ofSeconds(1);

    /** A stream on which so many heartbeats of its owner are missing is ended. */
    private static final int HEARTBEATS = 3;

    /** The epoch of a round of a held call, which belongs to no session. */
    public static final int HELD = -1;

    /**
     * The owner of a session, or the node that holds a call.
     *
     * @param epoch the count of owners of the session, or {@link #HELD}
     */
    public record Target(long node, String address, int epoch) {}

    /** The exchange of a client, as its endpoint sees it. */
    public interface Site {
        /**
         * Finds the owner again.
         *
         * @return empty if the session is to be served here
         * @throws HttpRefusalException if there is no such session any more
         */
        Optional<Target> owner();

        /** The owner has broken off: it is looked up again for the next exchange. */
        void lost();

        /** Serves the exchange here, whose body is given. */
        void serveHere(HttpExchange exchange);

        /** Refuses the exchange, to which nothing has been answered. */
        void refuse(HttpRefusalException refusal);

        /** The exchange keeps no body any more. Called at least once. */
        void released();
    }

    final SessionStore.Membership node;
    final PeerKeys keys;
    final BlockingClient client = new BlockingClient(new Direct(), Thread::startVirtualThread);
    final OpenExchanges open;
    private final Semaphore places;
    private final Counters counters;
    private final InstantSource clock;
    private final Duration silence;
    private final Set<Forwarding> running = ConcurrentHashMap.newKeySet();

    /**
     * @param most how many exchanges are forwarded at a time
     */
    public Forwarder(
            SessionStore.Membership node, PeerKeys keys, int most, EndpointContext context) {
        this.node = node;
        this.keys = keys;
        this.open = context.open();
        this.places = new Semaphore(most);
        this.counters = context.counters();
        this.clock = context.clock();
        this.silence = context.settings().heartbeat.multipliedBy(HEARTBEATS);
    }

    /** Direct connections, since nodes are near each other. */
    private static final class Direct implements Routes {
        @Override
        public Duration timeout() {
            return CONNECT;
        }

        @Override
        public @Nullable Via proxy(URI uri) {
            return null;
        }

        @Override
        public List<InetAddress> addresses(String host) throws UnknownHostException {
            return List.of(InetAddress.getAllByName(host));
        }
    }

    /**
     * Forwards an exchange.
     *
     * @throws HttpRefusalException if it cannot be taken, and nothing was done
     */
    public void forward(Target to, HttpExchange exchange, Caller caller, byte[] body, Site site) {
        if (!places.tryAcquire()) {
            throw new HttpRefusalException(
                    new HttpRefusal(
                                    RefusalReason.FORWARD_LIMIT,
                                    "Too many requests are forwarded to other nodes")
                            .withRetryAfter(HttpRefusal.SOON));
        }
        Forwarding forwarding =
                new Forwarding(this, exchange, PeerRequest.of(exchange, caller, body), to, site);
        boolean started = false;
        try {
            if (!open.add(forwarding, false)) {
                throw new HttpRefusalException(OpenExchanges.CLOSED);
            }
            running.add(forwarding);
            exchange.onLeft(forwarding::left);
            counters.forward(); // before its answer can arrive
            HandlerThread.start("mcp-http-forward", forwarding::run);
            started = true;
        } finally {
            if (!started) {
                ended(forwarding);
            }
        }
    }

    Instant now() {
        return clock.instant();
    }

    void ended(Forwarding forwarding) {
        running.remove(forwarding);
        open.remove(forwarding);
        places.release();
    }

    /** Ends exchanges with nodes that have died, or whose streams are silent, as if broken. */
    public void round() {
        if (running.isEmpty()) {
            return;
        }
        Set<Long> alive =
                node.living().stream().map(SessionStore.Owner::node).collect(Collectors.toSet());
        Instant since = clock.instant().minus(silence);
        for (Forwarding forwarding : running) {
            if (!alive.contains(forwarding.target().node()) || forwarding.isSilentSince(since)) {
                forwarding.lost();
            }
        }
    }

    /** Ends all exchanges. */
    public void close() {
        running.forEach(Forwarding::left);
        client.close();
    }
}
