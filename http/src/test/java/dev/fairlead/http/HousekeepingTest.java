package dev.fairlead.http;

import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.EventStoreException;
import dev.fairlead.protocol.time.Timers;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

@Timeout(30)
class HousekeepingTest {
    private static final int SESSIONS = 30;
    private static final Duration YEAR = Duration.ofDays(365);

    private volatile Instant now = Instant.EPOCH;
    private final Set<String> asked = ConcurrentHashMap.newKeySet();

    private final Timers timers =
            new Timers() {
                @Override
                public Clock clock() {
                    return new Clock() {
                        @Override
                        public Instant instant() {
                            return now;
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
    void sessionsThatFailDoNotKeepTheOthersWaitingForEver() throws Exception {
        Settings settings = new Settings();
        settings.eventStore = Unreadable::new;
        settings.sessionIdleTimeout = YEAR;
        settings.resumeWithin = YEAR;
        StreamableEndpoint endpoint =
                new StreamableEndpoint(
                        Premises.of(settings, context -> HttpSessionTest.host(), timers));
        var answering = new Answering(List.of(RequestId.of(1)), false, true, true, true);
        for (int i = 0; i < SESSIONS; i++) {
            endpoint.sessions()
                    .open(Caller.anonymous())
                    .orElseThrow()
                    .answerStream(answering)
                    .missed();
        }

        while (asked.size() < SESSIONS) {
            now = now.plusSeconds(10);
            endpoint.round();
            TimeUnit.MILLISECONDS.sleep(1); // the time limit of the test ends it
        }
    }
}
