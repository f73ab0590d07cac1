package dev.fairlead.http.endpoint;

import dev.fairlead.http.options.RefusalReason;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
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
    private final List<Supplier<Stream<? extends Held>>> registries = new CopyOnWriteArrayList<>();

    SessionPermits(int max) {
        limit = new FairLimit(max);
        evicted = Math.max(1, max / EVICTED);
    }

    /** A session that has a place. */
    public interface Held {
        /** The caller for which it is counted. */
        Object countedFor();

        /** The bytes that it keeps of what its client sent. */
        long keptBytes();

        /** How it can end, if nothing uses it. */
        Optional<Idle> idle();
    }

    /**
     * A session that nothing uses.
     *
     * @param used whether its client has done more than to open it
     * @param since when it was used last
     * @param evict ends it, unless it is used again; false if it did not end
     */
    public record Idle(boolean used, Instant since, BooleanSupplier evict) {}

    /** Adds the sessions of an endpoint. */
    public void add(Supplier<Stream<? extends Held>> registry) {
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

    private boolean evictOf(Set<Object> callers) {
        boolean any = false;
        for (Held session : oldest(callers).limit(evicted).toList()) {
            any |= evict(session);
        }
        return any;
    }

    private Stream<Held> all() {
        return registries.stream().flatMap(Supplier::get);
    }

    /**
     * The idle sessions of some callers; those that were only opened before those that were used.
     */
    private Stream<Held> oldest(Set<Object> callers) {
        record Candidate(Held session, Idle idle) {}
        return all().filter(session -> callers.contains(session.countedFor()))
                .flatMap(
                        session ->
                                session.idle().stream().map(idle -> new Candidate(session, idle)))
                .sorted(
                        Comparator.comparing((Candidate candidate) -> candidate.idle().used())
                                .thenComparing(candidate -> candidate.idle().since()))
                .map(Candidate::session);
    }

    private static boolean evict(Held session) {
        return session.idle().map(idle -> idle.evict().getAsBoolean()).orElse(false);
    }

    /**
     * Ends idle sessions of the source and of callers that keep more bytes than it will, those of
     * the heaviest first, until so many are free. A caller that asks for much therefore ends no
     * small sessions of others, whether or not it gets its room. A hundredth of all bytes is freed
     * at least, so that this is done rarely.
     *
     * @return whether any has ended
     */
    public boolean makeRoom(Source source, long bytes) {
        Map<Object, Long> kept = new HashMap<>();
        all().forEach(session -> kept.merge(session.countedFor(), session.keptBytes(), Long::sum));
        long least = kept.getOrDefault(source.caller(), 0L) + bytes;
        long all = kept.values().stream().mapToLong(Long::longValue).sum();
        long wanted = Math.max(bytes, all / EVICTED);
        long freed = 0;
        for (Object caller : heaviest(kept, source, least)) {
            for (Held session : oldest(Set.of(caller)).toList()) {
                long released = session.keptBytes();
                freed += evict(session) ? released : 0;
                if (freed >= wanted) {
                    return true;
                }
            }
        }
        return freed > 0;
    }

    private static List<Object> heaviest(Map<Object, Long> kept, Source source, long least) {
        return kept.entrySet().stream()
                .filter(
                        entry ->
                                entry.getValue() >= least || entry.getKey().equals(source.caller()))
                .sorted(Map.Entry.<Object, Long>comparingByValue().reversed())
                .limit(ATTEMPTS)
                .<Object>map(Map.Entry::getKey)
                .toList();
    }
}
