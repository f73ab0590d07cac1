package dev.fairlead.http.endpoint;

import dev.fairlead.http.console.HttpConsole;
import dev.fairlead.http.exchange.Network;
import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.http.options.HttpSessionListener;
import dev.fairlead.http.options.Peers;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.engine.ChangedLimits;
import dev.fairlead.protocol.limits.HeapPlan;
import dev.fairlead.protocol.options.CopyOnChange;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** The options of an endpoint. */
public final class Settings extends CopyOnChange<Settings> {
    /** The limit of a body with a large heap, and the part of a smaller heap. */
    public static final int BODY = 64 << 20;

    static final int BODY_PART = 32;

    /**
     * The limit of sessions with a large heap, and the bytes of a smaller heap for each of them.
     */
    public static final int SESSIONS = 10_000;

    static final int SESSION_HEAP = 16 << 10;

    private static final Duration SHORTEST_ROUND = Duration.ofMillis(10);
    private static final Duration LONGEST_ROUND = Duration.ofSeconds(1);

    public String path = "/mcp";
    public @Nullable LegacyPaths legacySse;
    public @Nullable String health;
    public boolean page = true;
    public List<String> allowOrigins = List.of();
    public List<String> allowHeaders = List.of();
    public List<String> allowHosts = List.of();
    public List<Network> trustProxies = List.of();
    public boolean standardForwarded;
    public @Nullable HttpAuthorization authorization;
    public int maxBody = defaultMaxBody();
    public long maxBodySum = HeapPlan.BODIES.bytes();
    public long maxAnswerSum = HeapPlan.ANSWERS.bytes();
    public long maxPendingSum = HeapPlan.PENDING.bytes();
    public int maxRequests = 1_000;
    public int maxResultWaits = 10_000;
    public boolean strictVersion;
    public int requestsPerSecond = 1_000;
    public int requestsAtOnce = 10_000;
    public boolean loopbackRequests;
    public int unknownSessionsPerSecond = 100;
    public int unknownSessionsAtOnce = 1_000;
    public int refusalsPerSecond = 100;
    public int refusalsAtOnce = 1_000;
    public boolean loopbackRefusals;

    public boolean stateless;
    public int maxSessions = defaultMaxSessions();
    public Duration sessionIdleTimeout = Duration.ofMinutes(30);
    public HttpSessionListener sessionListener = new HttpSessionListener() {};

    public boolean jsonAnswers;
    public Duration streamAfter = Duration.ofSeconds(2);
    public Duration heartbeat = Duration.ofSeconds(15);
    public int streamBuffer = 4 << 20;
    public Duration clientTimeout = Duration.ofSeconds(30);
    public Duration retry = Duration.ofSeconds(1);
    public Duration resumeWithin = Duration.ofMinutes(5);
    public Function<SessionHost, @Nullable EventStore> eventStore = host -> null;
    public @Nullable Peers peers;
    public @Nullable HttpConsole console;

    public Duration shutdownGrace = Duration.ofSeconds(5);

    /** How long the last may take to be written when the grace is over. */
    public Duration farewell = Duration.ofSeconds(1);

    public static int defaultMaxBody() {
        return (int) HeapPlan.atMost(BODY, BODY_PART);
    }

    /**
     * Returns how many sessions the other limits have room for: each session keeps some bytes of
     * its client.
     */
    static int defaultMaxSessions() {
        return (int) Math.min(SESSIONS, HeapPlan.heap() / SESSION_HEAP);
    }

    /** Returns how often the maintenance runs: often enough for the shortest timeout. */
    public Duration roundInterval() {
        Duration interval = LONGEST_ROUND;
        for (Duration wait : List.of(heartbeat, streamAfter, resumeWithin, sessionIdleTimeout)) {
            Duration half = wait.dividedBy(2);
            interval = half.compareTo(interval) < 0 ? half : interval;
        }
        return interval.compareTo(SHORTEST_ROUND) < 0 ? SHORTEST_ROUND : interval;
    }

    /**
     * Returns a short description of these settings for operators.
     *
     * @param sessions whether there are sessions
     */
    public List<String> details(boolean sessions) {
        List<String> details = new ArrayList<>();
        details.add(authorization == null ? "no authorization" : "authorization required");
        details.add(sessions ? "sessions" : "no sessions");
        if (legacySse != null) {
            details.add("HTTP+SSE of revision 2024-11-05");
        }
        return details;
    }

    /** The limits that differ from their defaults. */
    public Map<String, String> changedLimits() {
        return compared().toMap();
    }

    /** All limits in force. */
    public Map<String, String> limits() {
        return compared().all();
    }

    private ChangedLimits compared() {
        Settings defaults = new Settings();
        return new ChangedLimits()
                .add("maxBody", maxBody, defaults.maxBody)
                .add("maxBodySum", maxBodySum, defaults.maxBodySum)
                .add("maxAnswerSum", maxAnswerSum, defaults.maxAnswerSum)
                .add("maxPendingSum", maxPendingSum, defaults.maxPendingSum)
                .add("maxRequests", maxRequests, defaults.maxRequests)
                .add("maxResultWaits", maxResultWaits, defaults.maxResultWaits)
                .add("requestsPerSecond", requestsPerSecond, defaults.requestsPerSecond)
                .add("requestsAtOnce", requestsAtOnce, defaults.requestsAtOnce)
                .add(
                        "unknownSessionsPerSecond",
                        unknownSessionsPerSecond,
                        defaults.unknownSessionsPerSecond)
                .add("unknownSessionsAtOnce", unknownSessionsAtOnce, defaults.unknownSessionsAtOnce)
                .add("refusalsPerSecond", refusalsPerSecond, defaults.refusalsPerSecond)
                .add("refusalsAtOnce", refusalsAtOnce, defaults.refusalsAtOnce)
                .add("maxSessions", maxSessions, defaults.maxSessions)
                .add("sessionIdleTimeout", sessionIdleTimeout, defaults.sessionIdleTimeout)
                .add("streamAfter", streamAfter, defaults.streamAfter)
                .add("heartbeat", heartbeat, defaults.heartbeat)
                .add("streamBuffer", streamBuffer, defaults.streamBuffer)
                .add("clientTimeout", clientTimeout, defaults.clientTimeout)
                .add("retry", retry, defaults.retry)
                .add("farewell", farewell, defaults.farewell)
                .add("resumeWithin", resumeWithin, defaults.resumeWithin)
                .add("shutdownGrace", shutdownGrace, defaults.shutdownGrace);
    }

    /**
     * All paths that are answered at, those whose answer names their {@link SlashNeighbour} last.
     */
    public List<String> paths() {
        List<String> paths = new ArrayList<>(List.of(path));
        if (legacySse != null) {
            LegacyPaths legacy = legacySse.nextTo(path);
            paths.add(legacy.events());
            paths.add(legacy.messages());
        }
        if (health != null) {
            paths.add(health);
        }
        if (authorization != null) {
            authorization.routes().forEach(route -> paths.add(route.path()));
        }
        Stream<String> neighbours =
                paths.stream().flatMap(path -> SlashNeighbour.of(path).stream());
        List<String> ofConsole = console == null ? List.of() : console.paths();
        return Stream.of(paths.stream(), neighbours, ofConsole.stream())
                .flatMap(each -> each)
                .distinct()
                .toList();
    }
}
