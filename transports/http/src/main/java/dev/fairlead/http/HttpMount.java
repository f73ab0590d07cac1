package dev.fairlead.http;

import dev.fairlead.http.console.HttpConsole;
import dev.fairlead.http.endpoint.Counters;
import dev.fairlead.http.endpoint.EndpointContext;
import dev.fairlead.http.endpoint.GuardedConsole;
import dev.fairlead.http.endpoint.HealthRoute;
import dev.fairlead.http.endpoint.HttpRefusal;
import dev.fairlead.http.endpoint.LegacyPaths;
import dev.fairlead.http.endpoint.MountedEndpoint;
import dev.fairlead.http.endpoint.OpenExchanges;
import dev.fairlead.http.endpoint.RequestFilter;
import dev.fairlead.http.endpoint.Settings;
import dev.fairlead.http.endpoint.SlashNeighbour;
import dev.fairlead.http.exchange.LoggedHttpExchange;
import dev.fairlead.http.exchange.TrustedProxies;
import dev.fairlead.http.options.HttpMetrics;
import dev.fairlead.http.options.Peers;
import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.Route;
import dev.fairlead.http.sse.LegacyTransport;
import dev.fairlead.http.streamable.StreamableEndpoint;
import dev.fairlead.protocol.EventStoreException;
import dev.fairlead.protocol.RequestHost;
import dev.fairlead.protocol.Serving;
import dev.fairlead.protocol.ServingDescription;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.limits.HeapPlan;
import dev.fairlead.protocol.time.PeriodicTask;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/** A server as it is mounted in another HTTP server, which keeps the JVM alive. */
public final class HttpMount implements Serving {
    private static final System.Logger LOGGER = System.getLogger(HttpMount.class.getName());

    private final Timers timers;
    private final EndpointContext context;
    private final List<MountedEndpoint> endpoints;
    private final List<Route> routes;
    private final HttpConsole.@Nullable Mounted console;
    private final @Nullable PeerPort peerPort;
    private final RequestFilter root;
    private final PeriodicTask rounds;
    private final AtomicBoolean draining = new AtomicBoolean();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile @Nullable URI uri; // of a port that only this endpoint has
    private volatile long writtenBy; // in the time of System.nanoTime

    HttpMount(Settings settings, SessionHost host, Timers timers) {
        this.timers = timers;
        context = EndpointContext.of(settings, host, timers);
        reportSmallHeap(settings);
        StreamableEndpoint streamable = new StreamableEndpoint(context);
        endpoints = endpoints(settings, streamable);
        console =
                settings.console == null
                        ? null
                        : settings.console.mount(
                                new EndpointOperator(this, context, streamable, endpoints));
        routes = routes(settings);
        List<Route> ofPeers = streamable.peerRoutes();
        Peers peers = settings.peers;
        peerPort = peers == null || ofPeers.isEmpty() ? null : PeerPort.open(peers, ofPeers);
        if (peerPort != null) {
            streamable.reachedAt(peerPort.address());
        }
        root = new RequestFilter(context, Map.of()).withPage();
        rounds = new PeriodicTask("mcp-http-round", settings.roundInterval(), timers, this::round);
        rounds.start();
    }

    private static void reportSmallHeap(Settings settings) {
        if (settings.maxBody < Settings.BODY && settings.maxBody == Settings.defaultMaxBody()) {
            LOGGER.log(
                    System.Logger.Level.INFO,
                    "Request bodies may have {0} bytes, since the heap may have {1}; set"
                            + " HttpOptions.maxBody or raise -Xmx",
                    Long.toString(settings.maxBody),
                    Long.toString(HeapPlan.heap()));
        }
    }

    private List<MountedEndpoint> endpoints(Settings settings, MountedEndpoint streamable) {
        LegacyPaths paths = settings.legacySse;
        return paths == null
                ? List.of(streamable)
                : List.of(streamable, legacy(paths.nextTo(settings.path)));
    }

    private MountedEndpoint legacy(LegacyPaths paths) {
        return LegacyTransport.find()
                .map(transport -> transport.endpoint(context, paths))
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "HTTP+SSE is not served: add "
                                                + LegacyTransport.ARTIFACT
                                                + ", or leave HttpOptions.legacySse out"));
    }

    private List<Route> routes(Settings settings) {
        List<Route> all = new ArrayList<>();
        endpoints.forEach(endpoint -> all.addAll(endpoint.routes()));
        if (settings.health != null) {
            add(all, "the health", HealthRoute.on(settings.health, this::metrics));
        }
        context.admission().routes().forEach(route -> add(all, "the authorization", route));
        all.addAll(neighbours(all));
        if (console != null) {
            GuardedConsole.of(console, settings).forEach(route -> add(all, "the console", route));
        }
        TrustedProxies proxies =
                new TrustedProxies(settings.trustProxies, settings.standardForwarded);
        return all.stream().map(route -> behind(proxies, route)).toList();
    }

    private List<Route> neighbours(List<Route> served) {
        return served.stream()
                .flatMap(route -> SlashNeighbour.of(route, context.counters()).stream())
                .filter(route -> served.stream().noneMatch(isAt(route.path())))
                .toList();
    }

    private static Predicate<Route> isAt(String path) {
        return route -> route.path().equals(path);
    }

    private static void add(List<Route> routes, String what, Route route) {
        if (routes.stream().anyMatch(isAt(route.path()))) {
            throw new IllegalArgumentException(
                    "the path of "
                            + what
                            + " must be another than those of MCP but was "
                            + route.path());
        }
        routes.add(route);
    }

    private static Route behind(TrustedProxies proxies, Route route) {
        return new Route(
                route.path(),
                exchange -> route.handler().handle(LoggedHttpExchange.of(proxies.seen(exchange))));
    }

    private void round() {
        context.writers().beat();
        context.counters().refusals().flush();
        endpoints.forEach(MountedEndpoint::round);
    }

    /**
     * The routes of an engine with a port of its own: those of the endpoint, and one that refuses
     * all other paths.
     */
    List<Route> routesOfPort() {
        List<Route> all = new ArrayList<>(routes);
        String paths = String.join(", ", paths());
        TrustedProxies proxies =
                new TrustedProxies(
                        context.settings().trustProxies, context.settings().standardForwarded);
        all.add(behind(proxies, new Route(Route.OTHERS, exchange -> nothingAt(exchange, paths))));
        if (all.stream().noneMatch(isAt("/"))) {
            all.add(behind(proxies, new Route("/", exchange -> root(exchange, paths))));
        }
        return all;
    }

    /** Answers browsers with the page that the endpoint has for them. */
    private void root(HttpExchange exchange, String paths) {
        if (root.answersByPage(exchange)) {
            root.handle(exchange);
        } else {
            nothingAt(exchange, paths);
        }
    }

    /** The paths without their neighbours, which come behind them. */
    private List<String> paths() {
        List<String> paths = new ArrayList<>();
        for (Route route : routes) {
            String path = route.path();
            if (isPartOfConsole(path)) {
                continue;
            }
            String neighbour =
                    path.endsWith("/") ? path.substring(0, path.length() - 1) : path + "/";
            if (!paths.contains(neighbour)) {
                paths.add(path);
            }
        }
        return paths;
    }

    /** Returns whether this is one of the many paths that the page of the console uses. */
    private boolean isPartOfConsole(String path) {
        HttpConsole of = context.settings().console;
        return of != null && of.paths().indexOf(path) > 0;
    }

    private void nothingAt(HttpExchange exchange, String paths) {
        HttpRefusal refusal =
                new HttpRefusal(
                        RefusalReason.PATH,
                        "Nothing is served at this path, but at " + paths,
                        exchange.path(),
                        null);
        context.counters().refused(refusal, RefusalReason.PATH.status(), exchange);
        exchange.respond(new ResponseHead(RefusalReason.PATH.status(), Map.of()), new byte[0]);
    }

    /** Sets the URL of the endpoint once its port is open. */
    void servedAt(URI url) {
        uri = url;
    }

    /** Returns the URL of the endpoint; empty where another HTTP server has the port. */
    Optional<URI> uri() {
        return Optional.ofNullable(uri);
    }

    /** The routes that the adapter registers. */
    public List<Route> routes() {
        return routes;
    }

    /** How many sessions are open. */
    public int sessions() {
        return endpoints.stream().mapToInt(MountedEndpoint::openSessions).sum();
    }

    /** Returns the current figures of the endpoint. */
    public HttpMetrics metrics() {
        Counters counters = context.counters();
        OpenExchanges open = context.open();
        return new HttpMetrics(
                open.isClosed(),
                sessions(),
                context.writers().size(),
                open.size(),
                counters.sessionsOpened(),
                open.taken(),
                counters.requestsRefused(),
                counters.messagesDropped(),
                counters.forwarded(),
                counters.refusals().counts());
    }

    @Override
    public ServingDescription description() {
        Settings settings = context.settings();
        return new ServingDescription(
                "path " + settings.path + " of an HTTP server",
                settings.details(context.hasSessions()),
                settings.changedLimits());
    }

    @Override
    public void await() throws InterruptedException {
        closed.await();
    }

    /**
     * Takes nothing new, and waits until the requests under way are answered and the streams of
     * answers are written; does nothing the second time. Answers that are no streams may still be
     * on their way, for which there is {@link #left}.
     */
    void drain() {
        if (draining.compareAndSet(false, true)) {
            long end = System.nanoTime() + context.settings().shutdownGrace.toNanos();
            endpoints.forEach(HttpMount::prepare);
            try {
                context.open()
                        .drain(
                                context.settings().shutdownGrace,
                                limit -> awaitContinued(context, limit));
                context.writers().awaitEnded(Duration.ofNanos(end - System.nanoTime()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                long now = System.nanoTime();
                writtenBy = now + Math.max(end - now, context.settings().farewell.toNanos());
            }
        }
    }

    private static void awaitContinued(EndpointContext context, Duration limit)
            throws InterruptedException {
        Optional<RequestHost> host = context.host().requests();
        if (host.isPresent()) {
            host.get().awaitContinued(limit);
        }
    }

    private static void prepare(MountedEndpoint endpoint) {
        try {
            endpoint.draining();
        } catch (EventStoreException e) { // its sessions follow when it is closed
            LOGGER.log(System.Logger.Level.WARNING, "Sessions could not be handed over", e);
        }
    }

    /** How long the client may take from now to read the rest, once all is answered. */
    Duration left() {
        return Duration.ofNanos(writtenBy - System.nanoTime());
    }

    /**
     * Drains the endpoint, as {@link HttpServing#close} does: refuses new requests, sessions and
     * streams, waits for the requests under way as long as {@link HttpOptions#shutdownGrace} says,
     * then ends the streams, with a {@code retry}, and the sessions. A client that does not read
     * the end of its stream within the rest of that time, or a second, loses the connection. An
     * interrupt makes it wait no longer.
     */
    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            try {
                drain();
                awaitForwarded();
                rounds.close();
                if (console != null) {
                    console.close();
                }
                endpoints.forEach(MountedEndpoint::close);
                context.open().forEach(OpenExchanges.Open::sessionClosed); // in no session
                awaitFarewells();
            } finally {
                try {
                    end();
                } finally { // also without memory: await() waits for it
                    closed.countDown();
                }
            }
        } else {
            awaitClosed();
        }
    }

    private void end() {
        try (timers) {
            if (peerPort != null) {
                peerPort.close();
            }
        }
    }

    private void awaitForwarded() {
        try {
            context.open().close(left());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Returns the time that streams have for their last events; clients that do not read them are
     * disconnected.
     */
    private void awaitFarewells() {
        try {
            context.writers().awaitGone(left());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            context.writers().abort();
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
