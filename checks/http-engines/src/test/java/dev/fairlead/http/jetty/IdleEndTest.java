package dev.fairlead.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.InMemoryEventStore;
import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.SessionStore;
import dev.fairlead.protocol.StoredSession;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

class IdleEndTest extends HttpTest {
    private final CountDownLatch forgetting = new CountDownLatch(1);
    private final CountDownLatch forgotten = new CountDownLatch(1);

    /** Takes its time to forget a session. */
    private final class SlowSessions implements SessionStore {
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
        public void touch(Collection<String> keys) {}

        @Override
        public boolean remove(String key, int restored) {
            forgetting.countDown();
            try {
                forgotten.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return true;
        }

        @Override
        public void purge(Duration idle) {}
    }

    /** Events in memory beside those sessions. */
    private final class Store implements EventStore {
        private final EventStore events = new InMemoryEventStore();

        @Override
        public EventId append(Stream stream, byte[] data) {
            return events.append(stream, data);
        }

        @Override
        public Optional<List<Event>> after(EventId last, int limit) {
            return events.after(last, limit);
        }

        @Override
        public Optional<Stream> open(String session, String name) {
            return events.open(session, name);
        }

        @Override
        public void end(String session, String name) {
            events.end(session, name);
        }

        @Override
        public void forget(String session) {
            events.forget(session);
        }

        @Override
        public Optional<SessionStore> sessions() {
            return Optional.of(new SlowSessions());
        }
    }

    @Test
    @Requirement("HTTP-016")
    void aSessionThatIsAboutToEndTakesNoRequestThatWouldDieWithIt() throws Exception {
        HttpServing serving =
                serve(
                        listener ->
                                listener.sessionIdleTimeout(Duration.ofMillis(50))
                                        .eventStore(new Store()));
        String id = session(serving);
        try {
            assertThat(forgetting.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(post(serving, request(1, "ping"), SESSION, id).status()).isEqualTo(404);
            try (Wire listening = Wire.to(serving)) {
                assertThat(listening.get(SESSION, id).head().status()).isEqualTo(404);
            }
        } finally {
            forgotten.countDown();
        }
    }
}
