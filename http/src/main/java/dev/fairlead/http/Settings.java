package dev.fairlead.http;

import dev.fairlead.protocol.EventStore;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The options of an endpoint; changed only on a copy that nobody else has seen yet. */
final class Settings implements Cloneable {
    String path = "/mcp";
    @Nullable LegacyPaths legacySse;
    @Nullable String health;
    List<String> allowOrigins = List.of();
    List<String> allowHosts = List.of();
    List<Network> trustProxies = List.of();
    boolean standardForwarded;
    @Nullable HttpAuthorization authorization;
    int maxBody = 64 << 20;
    long maxBodySum = 256 << 20;
    int maxRequests = 1_000;
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

    Settings with(Consumer<Settings> change) {
        try {
            Settings copy = (Settings) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
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
