package dev.fairlead.http.endpoint;

import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.protocol.limits.Quota;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The limit of sessions, those of all endpoints of a mount together: a {@link Quota}, and idle
 * sessions that end where it, or the bytes that sessions keep, has no room. Thread-safe.
 */
public final class SessionPermits {
    /** Where there is no room, at least this part of everything is freed, so that it is rare. */
    static final int EVICTED = 100;

    /** How often room is made for one session: others may take it. */
    private static final int ATTEMPTS = 3;

    private final Quota places;
    private final List<Supplier<Stream<? extends Held>>> registries = new CopyOnWriteArrayList<>();

    SessionPermits(int max) {
        places = Quota.shared(max);
    }

    /** A session that has a place. */
    public interface Held {
        /** The caller for which it is counted. */
        Object countedFor();

        /** The bytes of its client's messages that it keeps. */
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

    /** The place of a session, and where it is counted. Thread-safe. */
    public final class Permit {
        private final RequestSource source;
        private final Quota.Share share;

        private Permit(RequestSource source) {
            this.source = source;
            this.share = places.share(source.caller(), source.session());
        }

        /** Returns the caller for which the session is counted. */
        public Object caller() {
            return source.caller();
        }

        /** Ends idle sessions until others keep so many bytes less; false if none has ended. */
        public boolean makeRoom(long bytes) {
            return endIdle(source, bytes, Held::keptBytes);
        }

        /** Gives the place back; does nothing the second time. */
        public void release() {
            share.release();
        }
    }

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
    public Permit take(RequestSource source) {
        Permit permit = new Permit(source);
        boolean taken = permit.share.take(1);
        for (int i = 0; i < ATTEMPTS && !taken && endIdle(source, 1, session -> 1); i++) {
            taken = permit.share.take(1);
        }
        if (!taken) {
            throw new HttpRefusalException(
                    RefusalReason.SESSION_LIMIT,
                    "Session limit reached ("
                            + places.limit()
                            + "); raise HttpOptions.maxSessions");
        }
        return permit;
    }

    /**
     * Ends idle sessions of the source, and of callers whose sessions are together larger than its
     * own will be, until so much is free: those of the largest caller first, of these the ones that
     * were only opened, and then the longest idle. A caller that asks for much therefore ends no
     * small sessions of others, whether or not it gets its room.
     *
     * @param size of a session
     * @return whether any has ended
     */
    private boolean endIdle(RequestSource source, long needed, ToLongFunction<Held> size) {
        Map<Object, Long> callers = new HashMap<>();
        all().forEach(each -> callers.merge(each.countedFor(), size.applyAsLong(each), Long::sum));
        long all = callers.values().stream().mapToLong(Long::longValue).sum();
        long wanted = Math.max(needed, all / EVICTED);
        Object own = source.caller();
        long least = callers.getOrDefault(own, 0L) + needed;
        callers.entrySet().removeIf(each -> each.getValue() < least && !each.getKey().equals(own));
        long freed = 0;
        for (Candidate each : candidates(callers)) {
            long released = size.applyAsLong(each.session());
            freed += each.idle().evict().getAsBoolean() ? released : 0;
            if (freed >= wanted) {
                return true;
            }
        }
        return freed > 0;
    }

    private record Candidate(Held session, Idle idle, long ofCaller) {
        static final Comparator<Candidate> FIRST_TO_END =
                Comparator.comparingLong(Candidate::ofCaller)
                        .reversed()
                        .thenComparing(candidate -> candidate.idle().used())
                        .thenComparing(candidate -> candidate.idle().since());
    }

    /** The idle sessions of some callers, the first to end first. */
    private List<Candidate> candidates(Map<Object, Long> callers) {
        return all().filter(each -> callers.containsKey(each.countedFor()))
                .flatMap(each -> each.idle().stream().map(idle -> candidate(each, idle, callers)))
                .sorted(Candidate.FIRST_TO_END)
                .toList();
    }

    private static Candidate candidate(Held session, Idle idle, Map<Object, Long> callers) {
        return new Candidate(session, idle, callers.getOrDefault(session.countedFor(), 0L));
    }

    private Stream<Held> all() {
        return registries.stream().flatMap(Supplier::get);
    }
}
