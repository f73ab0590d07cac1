package dev.fairlead.http;

import static dev.fairlead.protocol.options.Checks.positive;

import dev.fairlead.http.console.HttpConsole;
import dev.fairlead.http.endpoint.LegacyPaths;
import dev.fairlead.http.endpoint.RequestFilter;
import dev.fairlead.http.endpoint.Settings;
import dev.fairlead.http.exchange.Network;
import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.http.options.HttpSessionListener;
import dev.fairlead.http.options.Peers;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.SessionHost;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The options of an MCP endpoint over HTTP. Values are immutable: every option returns a changed
 * copy.
 *
 * @param <S> the type of the copy
 */
public abstract sealed class HttpOptions<S extends HttpOptions<S>>
        permits HttpListener, HttpEndpoint {
    private static final int MAX_HEADERS = 100;

    final Settings settings;

    HttpOptions(Settings settings) {
        this.settings = settings;
    }

    static Settings defaults() {
        return new Settings().with(copy -> copy.eventStore = HttpOptions::eventsOf);
    }

    private static EventStore eventsOf(SessionHost host) {
        return host.events().orElseGet(InMemoryEventStore::new);
    }

    abstract S with(Settings changed);

    private S set(Consumer<Settings> change) {
        return with(settings.with(change));
    }

    /**
     * The path of the endpoint; {@code /mcp} by default.
     *
     * @throws IllegalArgumentException if it does not start with a slash, or has a space, a query,
     *     a fragment or a {@code *}
     */
    public final S path(String path) {
        return set(copy -> copy.path = checked(path));
    }

    private static String checked(String path) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("a path must start with / but was " + path);
        }
        if (!path.matches("[^?#\\s]+")) {
            throw new IllegalArgumentException(
                    "a path must have no space, query or fragment but was " + path);
        }
        if (path.contains("*")) {
            throw new IllegalArgumentException(
                    "a path is that of one endpoint and must have no * but was " + path);
        }
        return path;
    }

    /**
     * Serves old clients as well, by HTTP+SSE of revision 2024-11-05: a GET on {@code sse} next to
     * {@link #path} opens a stream of events, which is a session, and messages are posted to {@code
     * messages} there; so {@code /sse} and {@code /messages}. Off by default, since that transport
     * is deprecated. All limits hold for both transports together. Old clients always have a
     * session, also beside {@link #stateless}, and lose it with their stream, which cannot be
     * resumed. Without the artifact {@code fairlead-http-legacy}, which {@code fairlead} brings,
     * serving fails with an {@link IllegalStateException}.
     *
     * @spec https://modelcontextprotocol.io/specification/2024-11-05/basic/transports HTTP with SSE
     */
    public final S legacySse() {
        return legacySse(LegacyPaths.DEFAULT);
    }

    /**
     * Serves HTTP+SSE like {@link #legacySse()}, on paths of your choice.
     *
     * @param events where the stream is opened by GET
     * @param messages where messages are posted to
     * @throws IllegalArgumentException if one of them does not start with a slash, or they are the
     *     same
     */
    public final S legacySse(String events, String messages) {
        return legacySse(new LegacyPaths(checked(events), checked(messages)));
    }

    private S legacySse(LegacyPaths paths) {
        return set(copy -> copy.legacySse = paths);
    }

    /**
     * Reports the health of the server at a path of its own such as {@code /health}: a GET is
     * answered with 200 and {@code {"status":"up","sessions":3,"streams":2, "requests":1}}, and
     * from the moment when the endpoint {@link HttpServing#close is being closed} with 503 and the
     * status {@code draining}. Off by default. All clients that can connect may send it, with any
     * origin and {@code Host}; {@link dev.fairlead.http.options.HttpMetrics} describes the figures.
     *
     * @throws IllegalArgumentException if the path does not start with a slash; or, when the
     *     endpoint is served, if MCP is there
     */
    public final S health(String path) {
        return set(copy -> copy.health = checked(path));
    }

    /**
     * Serves a console beside the endpoint: pages on which people watch the server. Off by default;
     * its paths are unknown then. Module {@code fairlead-console} has one.
     *
     * @throws IllegalArgumentException when the endpoint is served, if another part of it has one
     *     of the console's paths
     */
    public final S console(HttpConsole console) {
        Objects.requireNonNull(console, "console");
        return set(copy -> copy.console = console);
    }

    /**
     * Answers browsers as every other client. Unless this is set, a person who opens the URL of the
     * endpoint, or {@code /} of its port, in a browser gets a page with name, title and version of
     * the server, and how to connect a client: a GET or HEAD whose {@code Accept} names {@code
     * text/html} and no {@code text/event-stream}. The page is behind the checks of origin, host
     * and {@link #authorization}; with an authorization a browser without a token gets the status
     * 401 and no page.
     */
    public final S withoutPage() {
        return set(copy -> copy.page = false);
    }

    /**
     * The origins of web pages that may use the endpoint, as browsers send them, such as {@code
     * https://app.example}. None by default; over the loopback interface pages of {@code
     * localhost}, {@code 127.0.0.1} and {@code [::1]} are always allowed. A request of another
     * origin is answered with 403. A request without {@code Origin} comes from no page and is
     * accepted. You cannot allow all origins.
     *
     * @throws IllegalArgumentException if one is not a scheme and host with or without a port
     */
    public final S allowOrigins(String... origins) {
        List<String> allowed = Arrays.stream(origins).map(HttpOptions::origin).toList();
        return set(copy -> copy.allowOrigins = allowed);
    }

    private static String origin(String text) {
        if (!text.matches("[A-Za-z][A-Za-z0-9+.-]*://[^/?#*@\\s]+")) {
            throw new IllegalArgumentException(
                    "an origin is a scheme and a host such as https://app.example but was " + text);
        }
        return text;
    }

    /**
     * The headers that web pages of {@linkplain #allowOrigins allowed origins} may send besides
     * those of the protocol and {@code Authorization}, which are always allowed, such as {@code
     * X-API-Key} or {@code traceparent}. None by default. Other clients may send any header in any
     * case. You cannot allow all headers.
     *
     * @throws IllegalArgumentException if one is not the name of a header, or is {@code *}, or
     *     there are more than 100
     */
    public final S allowHeaders(String... headers) {
        if (headers.length > MAX_HEADERS) {
            throw new IllegalArgumentException(
                    "at most %s headers can be allowed but there are %s"
                            .formatted(MAX_HEADERS, headers.length));
        }
        List<String> allowed = Arrays.stream(headers).map(HttpOptions::header).toList();
        return set(copy -> copy.allowHeaders = allowed);
    }

    private static String header(String text) {
        if (text.equals("*") || !RequestFilter.TOKEN.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "a header is a name such as X-API-Key but was " + text);
        }
        return text;
    }

    /**
     * The names that a request may have in {@code Host}, with or without a port. Over the loopback
     * interface {@code localhost}, {@code 127.0.0.1} and {@code [::1]} are always allowed, and by
     * default no others. On other interfaces every name is allowed unless this option names some.
     *
     * @throws IllegalArgumentException if one has a scheme, a path or a space
     */
    public final S allowHosts(String... hosts) {
        List<String> allowed = Arrays.stream(hosts).map(HttpOptions::host).toList();
        return set(copy -> copy.allowHosts = allowed);
    }

    private static String host(String text) {
        if (!text.matches("[^/?#@\\s]+")) {
            throw new IllegalArgumentException(
                    "a host is a name such as app.example but was " + text);
        }
        return text;
    }

    /**
     * The reverse proxies before the endpoint, by address or network, such as {@code ::1} or {@code
     * 10.0.0.0/8}; none by default. Only from these are the following headers read: {@code
     * X-Forwarded-For} (the address of the caller), {@code X-Forwarded-Host} (its {@code Host}),
     * {@code X-Forwarded-Proto} (whether it connected by {@code http} or {@code https}) and {@code
     * X-Forwarded-Prefix} (the prefix that the proxy removed from the path); or else {@link
     * #standardForwarded}. With several proxies in a row the values of the first one count that is
     * followed by trusted proxies only. Hosts that differ are not trusted, and the request then has
     * no host, since one of them may be the client's; schemes that differ are ignored.
     *
     * <p>Every proxy named here must add to {@code X-Forwarded-For} or set it, and must set or
     * remove each other header that is read: a value that it only passes on may be forged by the
     * client.
     *
     * <p>A forwarded request does not count as one over the loopback interface, so that every host
     * is allowed unless {@link #allowHosts} names some. Do not name an address from which others
     * can connect too: they could claim any address.
     *
     * @throws IllegalArgumentException if one is neither an address nor a network
     */
    public final S trustProxies(String... proxies) {
        return set(copy -> copy.trustProxies = Arrays.stream(proxies).map(Network::parse).toList());
    }

    /**
     * Reads only the header {@code Forwarded} (RFC 7239) of {@link #trustProxies trusted proxies},
     * instead of those that begin with {@code X-Forwarded}. Every proxy must add to it or set it.
     * If it is not well-formed, it is ignored, and the proxy counts as the caller.
     */
    public final S standardForwarded() {
        return set(copy -> copy.standardForwarded = true);
    }

    /**
     * Checks each request by this authorization; by default all requests are admitted as anonymous.
     * Sessions and tasks then belong to their caller, and are unknown to every other caller. All
     * paths are checked except {@link #health}, and all methods except {@code OPTIONS}, which
     * reveals nothing.
     *
     * <p>Admitted requests continue if the token expires meanwhile, the streams of sessions
     * included; the next request is not admitted. A stream of {@code subscriptions/listen} ends
     * with its token, if {@link dev.fairlead.protocol.Caller#validUntil} is known.
     */
    public final S authorization(HttpAuthorization authorization) {
        Objects.requireNonNull(authorization, "authorization");
        return set(copy -> copy.authorization = authorization);
    }

    /**
     * Sets how often {@link #authorization} may refuse requests of one address, of IPv6 by the
     * first 64 bits; by default 100 times a second and 1,000 times at once. A request that cannot
     * be decided (503) counts as well. Requests over the loopback interface are not limited unless
     * this option is given. Beyond it every request of the address is answered with 429 and {@code
     * Retry-After}, and no token is checked.
     *
     * @throws IllegalArgumentException if not positive
     */
    public final S refusalRate(int perSecond, int atOnce) {
        return set(
                copy -> {
                    copy.refusalsPerSecond = positive(perSecond, "perSecond");
                    copy.refusalsAtOnce = positive(atOnce, "atOnce");
                    copy.loopbackRefusals = true;
                });
    }

    /**
     * The most bytes of a request body; 64 MiB by default, or a thirty-second of the largest heap
     * where that is less, which is logged when the endpoint is served. A larger one is answered
     * with 413 and never held in memory.
     *
     * @throws IllegalArgumentException if not positive
     */
    public final S maxBody(int bytes) {
        return set(copy -> copy.maxBody = positive(bytes, "maxBody"));
    }

    /**
     * The most bytes of request bodies that are held at the same time, all requests together; 256
     * MiB by default, or a sixteenth of the largest heap where that is less, and never less than
     * {@link #maxBody}. A caller may have half of them, or one body. They count as they come, until
     * the request is answered. A request without room is answered with 503 and {@code Retry-After},
     * and was not processed. Bodies that announce at most 64 KiB then have an eighth as much
     * besides, so that large bodies do not keep them out.
     *
     * @throws IllegalArgumentException if not positive
     */
    public final S maxBodySum(long bytes) {
        return set(copy -> copy.maxBodySum = positive(bytes, "maxBodySum"));
    }

    /**
     * Sets the most bytes of answers and events that wait at the same time until their clients read
     * them, all connections together; 256 MiB by default, or an eighth of the largest heap where
     * that is less. A caller may have half of them, and a session a quarter; a single answer may
     * exceed that alone, and the last eighth is left to answers of at most 64 KiB.
     *
     * <p>An answer without room waits for it 5 s and is then replaced by the error {@code -32000},
     * since revision 2026-07-28 {@code -32603}; a stream reads on from the event store, or loses
     * its connection. A response of a batch counts while it waits for the last one, and is replaced
     * at once. A session that does not read its answers is refused further requests with 503 and
     * {@code Retry-After}.
     *
     * @throws IllegalArgumentException if not positive
     */
    public final S maxAnswerSum(long bytes) {
        return set(copy -> copy.maxAnswerSum = positive(bytes, "maxAnswerSum"));
    }

    /**
     * Sets the most bytes of messages that wait at the same time for clients to open a stream by
     * GET, all sessions together, as they lie in memory; 128 MiB by default, or a sixteenth of the
     * largest heap where that is less. A caller may have half of them, and a session a quarter; a
     * single message may exceed that alone, and the last eighth is left to messages of at most 64
     * KiB. Besides, a session may have 1,000 messages with 1 MiB.
     *
     * <p>A notification without room is dropped and counted in {@link
     * dev.fairlead.http.options.HttpMetrics#messagesDropped}; a request to the client takes the
     * place of the oldest notifications of its session, or fails with {@link
     * dev.fairlead.jsonrpc.ConnectionException}.
     *
     * @throws IllegalArgumentException if not positive
     */
    public final S maxPendingSum(long bytes) {
        return set(copy -> copy.maxPendingSum = positive(bytes, "maxPendingSum"));
    }

    /**
     * Sets how many requests may be under way at once; 1,000 by default. Each request of a batch
     * counts. One more is answered with 503, since revision 2026-07-28 with 429, and was not
     * processed. A request counts until its handler has ended, also where the handler ignores that
     * it was interrupted because its session was closed or its time is over.
     *
     * <p>A single caller may take all of these places. Once they are taken, a reserve of a quarter
     * remains for callers that hold little of it, and half of it also for sessions that hold little
     * although their caller holds much. An anonymous caller is counted by its address, as in {@link
     * #requestRate}.
     *
     * <p>Limits of the same size and with the same reserve apply to each of these: {@code
     * initialize}, {@code ping} and {@code tasks/cancel}, which always pass where calls are
     * refused; calls whose clients have left and are no longer {@linkplain #resumeWithin expected},
     * which continue in these places, and are cancelled where none is left. Four times as many
     * bodies may be read at a time. Notifications, and responses to requests of the server, only
     * count while their bodies are read. For {@code tasks/result} see {@link #maxResultWaits}.
     *
     * @throws IllegalArgumentException if not positive
     */
    public final S maxRequests(int requests) {
        return set(copy -> copy.maxRequests = positive(requests, "maxRequests"));
    }

    /**
     * Sets how many {@code tasks/result} requests may wait at once for their tasks to end, together
     * with streams of {@code subscriptions/listen}; 10,000 by default, with the same reserve as
     * {@link #maxRequests}, of which they take no places. One more is answered with 503, since
     * revision 2026-07-28 with 429; a task can be polled instead.
     *
     * @throws IllegalArgumentException if not positive
     */
    public final S maxResultWaits(int waits) {
        return set(copy -> copy.maxResultWaits = positive(waits, "maxResultWaits"));
    }

    /**
     * Sets how long a client may keep the server waiting while it sends a request or takes an
     * answer, without a byte; 30 seconds by default. A body that comes slower than 16 KiB a second
     * is refused with 408 when it has fallen behind by so much; while other bodies are read, by
     * less, in proportion to the free places of bodies, but at least a tenth. A listener gives the
     * head of a request twice the time in all; where the endpoint is mounted, connections are up to
     * the HTTP server that is there.
     */
    public final S clientTimeout(Duration time) {
        return set(copy -> copy.clientTimeout = positive(time, "clientTimeout"));
    }

    /**
     * Sets how often a caller may send a request: by default 1,000 times a second and 10,000 times
     * at once, but anonymous callers over the loopback interface as often as they like, unless this
     * option is given. One more is answered with 429 and {@code Retry-After}, and was not
     * processed. Anonymous callers are counted by the address that the connection comes from, of
     * IPv6 by the first 64 bits; behind a proxy that is the proxy's, unless it is one of {@link
     * #trustProxies}, and in a servlet container that of the container and its filters. All whose
     * address is unknown are counted together. An address that a trusted proxy names never counts
     * as the loopback interface.
     *
     * @throws IllegalArgumentException if not positive
     */
    public final S requestRate(int perSecond, int atOnce) {
        return set(
                copy -> {
                    copy.requestsPerSecond = positive(perSecond, "perSecond");
                    copy.requestsAtOnce = positive(atOnce, "atOnce");
                    copy.loopbackRequests = true;
                });
    }

    /**
     * Sets how often requests of one address may name an unknown session, or one of another caller,
     * if an {@link #eventStore} that outlives the process is searched for it; by default 100 times
     * a second and 1,000 times at once. Beyond it such a request is answered with 429 and {@code
     * Retry-After} instead of 404. A stored session is still found, but requests of callers that
     * have named too many are looked up one after the other, each within 5 seconds. Without such a
     * store nothing is counted: the answer is always 404, on which clients start a new session.
     *
     * @throws IllegalArgumentException if not positive
     */
    public final S unknownSessionRate(int perSecond, int atOnce) {
        return set(
                copy -> {
                    copy.unknownSessionsPerSecond = positive(perSecond, "perSecond");
                    copy.unknownSessionsAtOnce = positive(atOnce, "atOnce");
                });
    }

    /**
     * Removes {@link #requestRate}, {@link #refusalRate} and {@link #unknownSessionRate}, for
     * servers behind something else that limits rates.
     */
    public final S withoutRates() {
        return set(
                copy -> {
                    copy.requestsPerSecond = Integer.MAX_VALUE;
                    copy.unknownSessionsPerSecond = Integer.MAX_VALUE;
                    copy.refusalsPerSecond = Integer.MAX_VALUE;
                });
    }

    /**
     * Answers with 400 if {@code MCP-Protocol-Version} is not the revision of the session. By
     * default such a request is logged and processed in the revision of the session.
     */
    public final S strictVersion() {
        return set(copy -> copy.strictVersion = true);
    }

    /**
     * Serves the revisions up to 2025-11-25 without sessions: each of their requests stands alone.
     * Its answer carries its progress and log messages, as a stream of events if there are any, and
     * nothing else can be sent to the client: no question, no change. Notifications and responses,
     * cancellation among them, are answered with 202 and ignored. Requests of revision 2026-07-28,
     * which never have a session, are answered as everywhere; see {@link #jsonAnswers}.
     */
    public final S stateless() {
        return set(copy -> copy.stateless = true);
    }

    /**
     * Sets how many sessions there may be; 10,000 by default. When so many are open, one more ends
     * idle sessions of the caller that has the most, those first that were unused for the longest;
     * a session with a request under way or a stream open never ends for that. Where that frees no
     * place, a reserve remains as for {@link #maxRequests}, and then {@code initialize} is answered
     * with 503.
     *
     * <p>{@code McpServer.Builder.maxSessions} must allow a quarter more than this option for the
     * reserve to be used.
     *
     * @throws IllegalArgumentException if not positive
     */
    public final S maxSessions(int sessions) {
        return set(copy -> copy.maxSessions = positive(sessions, "maxSessions"));
    }

    /**
     * Sets the time without a request, a call under way or an open stream after which a session
     * ends; 30 minutes by default.
     */
    public final S sessionIdleTimeout(Duration time) {
        return set(copy -> copy.sessionIdleTimeout = positive(time, "sessionIdleTimeout"));
    }

    /** Sets the listener that is notified when sessions are opened and closed. */
    public final S sessionListener(HttpSessionListener listener) {
        return set(copy -> copy.sessionListener = Objects.requireNonNull(listener, "listener"));
    }

    /**
     * Answers with JSON only, so that a handler can send nothing before its response: no progress,
     * no log message and no question in a session. By default an answer becomes a stream of events
     * when something has to be sent before it, or after {@link #streamAfter}.
     */
    public final S jsonAnswers() {
        return set(copy -> copy.jsonAnswers = true);
    }

    /**
     * Sets the time without an answer after which a stream of events begins, so that the connection
     * is kept open; 2 seconds by default.
     */
    public final S streamAfter(Duration time) {
        return set(copy -> copy.streamAfter = positive(time, "streamAfter"));
    }

    /** Sets how long a stream is silent before a comment is sent; 15 seconds by default. */
    public final S heartbeat(Duration interval) {
        return set(copy -> copy.heartbeat = positive(interval, "heartbeat"));
    }

    /**
     * Sets how many bytes may wait for a client that reads slowly, in each stream; 4 MiB by
     * default. Beyond that they wait in the event store, and where there is none the connection is
     * dropped. One message may be larger.
     */
    public final S streamBuffer(int bytes) {
        return set(copy -> copy.streamBuffer = positive(bytes, "streamBuffer"));
    }

    /**
     * Sets the store of events for clients that resume their streams after their connection broke;
     * by default that of {@code McpServer.Builder.store}, or else a new {@link InMemoryEventStore}
     * for each endpoint that is served. With a store that keeps {@link EventStore#sessions
     * sessions} the next server continues those that are open when this one ends, even by a crash.
     * Close the store after the server.
     */
    public final S eventStore(EventStore store) {
        Objects.requireNonNull(store, "store");
        return set(copy -> copy.eventStore = host -> store);
    }

    /**
     * Has nodes that share the {@link #eventStore} forward each request in a session to the node
     * that owns it, so that a load balancer may send any request to any node. By default a session
     * moves to the node that its client comes to, and calls under way at the former owner end with
     * an error. Serving fails with an {@link IllegalStateException} if the store keeps no sessions,
     * or nodes do not share the keys of request states, from which the key between nodes derives.
     */
    public final S peers(Peers peers) {
        Objects.requireNonNull(peers, "peers");
        return set(copy -> copy.peers = peers);
    }

    /** Keeps no events: messages that were not received when a connection broke are lost. */
    public final S withoutEventStore() {
        return set(copy -> copy.eventStore = host -> null);
    }

    /** Sets after which time a client reconnects when its stream ended; 1 second by default. */
    public final S retry(Duration time) {
        return set(copy -> copy.retry = positive(time, "retry"));
    }

    /**
     * Sets how long a client that has left a stream may take to resume it; 5 minutes by default.
     * Then, or when the events it missed are no longer kept, the requests to the client that were
     * not written on that stream fail, and {@link dev.fairlead.protocol.Exchange#onGone} is called.
     * A client that resumes later still gets the events that the event store keeps. Without an
     * event store there is no such wait.
     */
    public final S resumeWithin(Duration time) {
        return set(copy -> copy.resumeWithin = positive(time, "resumeWithin"));
    }

    /**
     * Sets how long requests under way, and held calls that wait for their client, may take to end
     * when the endpoint is closed; 5 seconds by default.
     */
    public final S shutdownGrace(Duration time) {
        return set(copy -> copy.shutdownGrace = positive(time, "shutdownGrace"));
    }
}
