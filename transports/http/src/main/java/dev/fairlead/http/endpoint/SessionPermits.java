package dev.fairlead.http.endpoint;

import dev.fairlead.http.options.RefusalReason;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The limit of sessions, those of all endpoints of a mount together. It is fair, and when it is
 * reached, idle sessions of the caller that holds the most end first. Safe for use by several
 * threads.
 */
public final class SessionPermits {
    /** When the limit is reached, one part in so many of it ends, so that this is done rarely. */
    static final int EVICTED = 100;

    /** How often this is tried: others may take the places, and callers have no idle sessions. */
    private static final int ATTEMPTS = 3;

    private final FairLimit limit;
    private final int evicted;
    private final List<Function<Set<Object>, Stream<Idle>>> registries =
            new CopyOnWriteArrayList<>();

    SessionPermits(int max) {
        limit = new FairLimit(max);
        evicted = Math.max(1, max / EVICTED);
    }

    /**
     * A session that nothing uses.
     *
     * @param used whether its client has done more than to open it
     * @param since when it was used last
     * @param evict ends it, unless it is used again; false if it did not end
     */
    public record Idle(boolean used, Instant since, BooleanSupplier evict) {}

    /** Adds an endpoint, which finds the idle sessions of some callers. */
    public void add(Function<Set<Object>, Stream<Idle>> registry) {
        registries.add(registry);
    }

    /**
     * Takes the place of a session; blocks while idle sessions end, which may need their store.
     *
     * @throws HttpRefusalException if there is none for this source, and no idle session may end
     *     for it
     */
    public FairLimit.Permits take(Source source) {
        Optional<FairLimit.Permits> permit = limit.take(source, 1);
        for (int i = 0; i < ATTEMPTS && permit.isEmpty() && evict(source); i++) {
            permit = limit.take(source, 1);
        }
        return permit.orElseThrow(
                () ->
                        new HttpRefusalException(
                                RefusalReason.SESSION_LIMIT,
                                "Session limit reached ("
                                        + limit.max()
                                        + "); raise HttpOptions.maxSessions"));
    }

    /**
     * Ends the sessions that are idle for the longest, of the callers that hold the most, or of the
     * next ones where those have none; none of a caller that holds less than the source.
     */
    private boolean evict(Source source) {
        Set<Object> tried = new HashSet<>();
        for (int i = 0; i < ATTEMPTS; i++) {
            Set<Object> heaviest = limit.heaviest(source, tried);
            if (!heaviest.isEmpty() && evictOf(heaviest)) {
                return true;
            }
            tried.addAll(heaviest);
        }
        return false;
    }

    /** Sessions that were only opened go before those that were used. */
    private boolean evictOf(Set<Object> callers) {
        List<Idle> oldest =
                registries.stream()
                        .flatMap(registry -> registry.apply(callers))
                        .sorted(Comparator.comparing(Idle::used).thenComparing(Idle::since))
                        .limit(evicted)
                        .toList();
        boolean any = false;
        for (Idle session : oldest) {
            any |= session.evict().getAsBoolean();
        }
        return any;
    }
}
