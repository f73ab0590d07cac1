package dev.fairlead.http;

import dev.fairlead.http.exchange.Network;
import dev.fairlead.http.stream.PendingMessages;
import dev.fairlead.http.stream.WaitingBytes;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.engine.ChangedLimits;
import dev.fairlead.protocol.engine.HeapShare;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The options of an endpoint; changed only on a copy that nobody else has seen yet. */
final class Settings implements Cloneable {
    /** The limit of a body with a large heap, and the part of a smaller heap. */
    static final int BODY = 64 << 20;

    static final int BODY_PART = 32;

    /** The limit of all bodies with a large heap, and the part of a smaller heap. */
    static final long BODY_SUM = 256L << 20;

    static final int BODY_SUM_PART = 16;

    String path = "/mcp";
    @Nullable LegacyPaths legacySse;
    @Nullable String health;
    List<String> allowOrigins = List.of();
    List<String> allowHosts = List.of();
    List<Network> trustProxies = List.of();
    boolean standardForwarded;
    @Nullable HttpAuthorization authorization;
    int maxBody = defaultMaxBody();
    long maxBodySum = HeapShare.atMost(BODY_SUM, BODY_SUM_PART);
    long maxAnswerSum = HeapShare.atMost(WaitingBytes.MOST, WaitingBytes.HEAP_PART);
    long maxPendingSum = HeapShare.atMost(PendingMessages.MOST, PendingMessages.HEAP_PART);
    int maxRequests = 1_000;
    int maxResultWaits = 5_000;
    boolean strictVersion;
    int requestsPerSecond = 1_000;
    int requestsAtOnce = 10_000;
    boolean loopbackRequests;
    int unknownSessionsPerSecond = 100;
    int unknownSessionsAtOnce = 1_000;
    int refusalsPerSecond = 100;
    int refusalsAtOnce = 1_000;
    boolean loopbackRefusals;

    boolean stateless;
    int maxSessions = 10_000;
    Duration sessionIdleTimeout = Duration.ofMinutes(30);
    HttpSessionListener sessionListener = new HttpSessionListener() {};

    boolean jsonAnswers;
    Duration streamAfter = Duration.ofSeconds(2);
    Duration heartbeat = Duration.ofSeconds(15);
    int streamBuffer = 4 << 20;
    Duration clientTimeout = Duration.ofSeconds(30);
    Duration retry = Duration.ofSeconds(1);
    Duration resumeWithin = Duration.ofMinutes(5);
    Supplier<@Nullable EventStore> eventStore = InMemoryEventStore::new;

    Duration shutdownGrace = Duration.ofSeconds(5);

    static int defaultMaxBody() {
        return (int) HeapShare.atMost(BODY, BODY_PART);
    }

    Settings with(Consumer<Settings> change) {
        try {
            Settings copy = (Settings) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /** What an operator wants to know of these settings, in a few words each. */
    List<String> details() {
        List<String> details = new ArrayList<>();
        details.add(authorization == null ? "no authorization" : "authorization required");
        details.add(stateless ? "no sessions" : "sessions");
        if (legacySse != null) {
            details.add("HTTP+SSE of revision 2024-11-05");
        }
        return details;
    }

    /** The limits that differ from their defaults. */
    Map<String, String> changedLimits() {
        return ChangedLimits.of(MethodHandles.lookup(), this, new Settings());
    }

    /** All paths that are answered at. */
    List<String> paths() {
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
        return List.copyOf(paths);
    }
}
