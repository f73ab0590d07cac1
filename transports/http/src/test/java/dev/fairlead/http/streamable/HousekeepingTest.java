package dev.fairlead.http.streamable;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.InMemoryEventStore;
import dev.fairlead.http.endpoint.EndpointContext;
import dev.fairlead.http.endpoint.RequestSource;
import dev.fairlead.http.endpoint.Settings;
import dev.fairlead.http.session.HttpSession;
import dev.fairlead.http.session.HttpSessionTest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.EventStoreException;
import dev.fairlead.protocol.SessionStore;
import dev.fairlead.protocol.StoredSession;
import dev.fairlead.protocol.time.Timers;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

@Timeout(120)
class HousekeepingTest {
    private static final int SESSIONS = 30;
    private static final Duration YEAR = Duration.ofDays(365);

    private volatile Instant now = Instant.EPOCH;

    /** The span by which the time of day was set forward. */
    private volatile Duration set = Duration.ZERO;

    private final Set<String> asked = ConcurrentHashMap.newKeySet();

    private final Timers timers =
            new Timers() {
                @Override
                public Clock clock() {
                    return new Clock() {
                        @Override
                        public Instant instant() {
                            return now.plus(set);
                        }

                        @Override
                        public ZoneId getZone() {
                            return ZoneOffset.UTC;
                        }

                        @Override
                        public Clock withZone(ZoneId zone) {
                            return this;
                        }
                    };
                }

                @Override
                public long nanoTime() {
                    return ChronoUnit.NANOS.between(Instant.EPOCH, now);
                }

                @Override
                public Timer schedule(Duration delay, Runnable action) {
                    return () -> {};
                }

                @Override
                public void close() {}
            };

    /** Nothing can be read from it. */
    private final class Unreadable implements EventStore {
        private final EventStore store = new InMemoryEventStore();

        @Override
        public EventId append(Stream stream, byte[] data) {
            return store.append(stream, data);
        }

        @Override
        public Optional<List<Event>> after(EventId last, int limit) {
            asked.add(last.session());
            throw new EventStoreException("unreadable", null);
        }

        @Override
        public Optional<Stream> open(String session, String name) {
            return store.open(session, name);
        }

        @Override
        public void end(String session, String name) {
            store.end(session, name);
        }

        @Override
        public void forget(String session) {
            store.forget(session);
        }
    }

    @Test
    void sessionsThatFailDoNotKeepTheOthersWaitingForEver() {
        Settings settings = new Settings();
        settings.eventStore = host -> new Unreadable();
        settings.sessionIdleTimeout = YEAR;
        settings.resumeWithin = YEAR;
        StreamableEndpoint endpoint =
                new StreamableEndpoint(
                        EndpointContext.of(settings, context -> HttpSessionTest.host(), timers));
        for (int i = 0; i < SESSIONS; i++) {
            endpoint.sessions()
                    .open(new RequestSource("test", null, false), Caller.anonymous())
                    .answerStream(List.of(RequestId.of(1)), true)
                    .missed();
        }

        await().until(
                        () -> { // a round begins only where none is under way
                            now = now.plusSeconds(10);
                            endpoint.round();
                            return asked.size() == SESSIONS;
                        });
    }

    /** Writes down in which order it was called. */
    private static final class Noted implements EventStore, SessionStore {
        final List<String> calls = new CopyOnWriteArrayList<>();
        private final EventStore store = new InMemoryEventStore();
        private final boolean byItself;
        private final AtomicInteger sweeps = new AtomicInteger();

        Noted(boolean byItself) {
            this.byItself = byItself;
        }

        @Override
        public boolean sweepsByItself() {
            return byItself;
        }

        @Override
        public void sweep() {
            sweeps.incrementAndGet();
        }

        @Override
        public void save(StoredSession session) {}

        @Override
        public Optional<Found> find(String key) {
            return Optional.empty();
        }

        @Override
        public void open(StoredSession session) {}

        @Override
        public Optional<StoredSession> take(String key, int restored, Duration idle) {
            return Optional.empty();
        }

        @Override
        public boolean give(String key, int restored) {
            return true;
        }

        @Override
        public void touch(Collection<String> keys) {
            calls.add("touch " + keys.size());
        }

        @Override
        public boolean remove(String key, int restored) {
            calls.add("remove");
            return true;
        }

        @Override
        public void purge(Duration idle) {
            calls.add("purge");
        }

        @Override
        public Optional<SessionStore> sessions() {
            return Optional.of(this);
        }

        @Override
        public EventId append(Stream stream, byte[] data) {
            return store.append(stream, data);
        }

        @Override
        public Optional<List<Event>> after(EventId last, int limit) {
            return store.after(last, limit);
        }

        @Override
        public Optional<Stream> open(String session, String name) {
            return store.open(session, name);
        }

        @Override
        public void end(String session, String name) {
            store.end(session, name);
        }

        @Override
        public void forget(String session) {
            store.forget(session);
        }
    }

    private StreamableEndpoint endpoint(Noted store) {
        Settings settings = new Settings();
        settings.eventStore = host -> store;
        settings.sessionIdleTimeout = Duration.ofMinutes(30);
        return new StreamableEndpoint(
                EndpointContext.of(settings, context -> HttpSessionTest.host(), timers));
    }

    /** A round begins only where none is under way: one that was may see the new time. */
    private void rounds(StreamableEndpoint endpoint, Noted store, Duration after, String until) {
        int before = store.calls.size();
        now = now.plus(after);
        await().until(
                        () -> {
                            endpoint.round();
                            return store.calls.stream().skip(before).anyMatch(until::equals);
                        });
    }

    @Test
    void aStoreIsSweptUnlessItSweepsByItself() {
        for (boolean byItself : new boolean[] {false, true}) {
            Noted store = new Noted(byItself);
            StreamableEndpoint endpoint = endpoint(store);
            rounds(endpoint, store, Duration.ofSeconds(10), "purge");

            assertThat(store.sweeps).hasValue(byItself ? 0 : 1);
        }
    }

    @Test
    void aClockThatIsSetForwardEndsNoSessionAndHasNonePurged() {
        Noted store = new Noted(false);
        StreamableEndpoint endpoint = endpoint(store);
        HttpSession session =
                endpoint.sessions()
                        .open(new RequestSource("test", null, false), Caller.anonymous());
        session.touch(now);

        set = Duration.ofDays(1);
        rounds(endpoint, store, Duration.ofSeconds(10), "purge");

        assertThat(store.calls).containsExactly("touch 1", "purge");
        assertThat(endpoint.openSessions()).isEqualTo(1);

        rounds(endpoint, store, Duration.ofMinutes(40), "purge");
        assertThat(endpoint.openSessions()).isZero();
        assertThat(store.calls).contains("remove");
    }
}
