package dev.fairlead.http.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.InMemoryEventStore;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.EventStoreException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

class EventStreamTest {
    private static final Duration PATIENCE = Duration.ZERO;
    private static final OutgoingEvent MESSAGE =
            OutgoingEvent.of(new JsonRpcNotification("notifications/message", null));

    /** A store whose appends wait once they are held up. */
    private static final class SlowStore implements EventStore {
        private final InMemoryEventStore events = new InMemoryEventStore();
        private final CountDownLatch arrived = new CountDownLatch(1);
        private final CountDownLatch answer = new CountDownLatch(1);
        private volatile boolean slow;
        private volatile boolean full;

        @Override
        public EventId append(Stream stream, byte[] data) {
            if (full) {
                throw new EventStoreException("full", null);
            }
            if (slow) {
                arrived.countDown();
                await(answer);
            }
            return events.append(stream, data);
        }

        @Override
        public Optional<Stream> open(String session, String name) {
            return events.open(session, name);
        }

        @Override
        public Optional<List<Event>> after(EventId last, int limit) {
            return events.after(last, limit);
        }

        @Override
        public void end(String session, String stream) {
            events.end(session, stream);
        }

        @Override
        public void forget(String session) {
            events.forget(session);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static EventStream stream(EventStore store, int bufferLimit) {
        return new EventStream(new EventStore.Stream("s", "p1", List.of()), store, bufferLimit);
    }

    private static StreamWriter writer(EventStream stream, Response response) {
        return new StreamWriter(
                stream,
                response,
                Duration.ofSeconds(1),
                Clock.fixed(Instant.EPOCH, ZoneOffset.UTC),
                null,
                (writer, lost) -> {});
    }

    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aConnectionIsLostAndResumedWhileTheStoreTakesItsTime() throws Exception {
        SlowStore store = new SlowStore();
        EventStream stream = stream(store, 1000);
        Response first = new Response();
        StreamWriter writer = writer(stream, first);
        stream.open(writer);
        stream.add(MESSAGE);
        stream.wake();
        store.slow = true;
        Thread sender = Thread.ofVirtual().start(() -> stream.add(MESSAGE));
        await(store.arrived);

        writer.abort();
        assertThat(stream.isLeft()).isTrue();
        stream.expect();
        assertThat(stream.giveUp(Instant.MAX, PATIENCE)).isEmpty();
        Response second = new Response();
        StreamWriter other = writer(stream, second);
        stream.resume(other, new EventId("s", "p1", 0));
        assertThat(stream.isConnected()).isTrue();

        store.answer.countDown();
        sender.join();
        other.wake();
        assertThat(second.text.toString().split("notifications/message", -1)).hasSize(3);
    }

    @Test
    void aClientThatIsReconnectingIsNotGivenUp() {
        EventStream stream = stream(new InMemoryEventStore(), 1000);
        StreamWriter writer = writer(stream, new Response());
        stream.open(writer);
        stream.add(OutgoingEvent.of(new JsonRpcRequest(RequestId.of(7), "ping", null)));
        writer.abort();

        stream.expect();
        assertThat(stream.giveUp(Instant.MAX, PATIENCE)).isEmpty();
        assertThat(stream.isGivenUp()).isFalse();

        stream.missed();
        assertThat(stream.giveUp(Instant.MAX, PATIENCE)).containsExactly(RequestId.of(7));
        assertThat(stream.isGivenUp()).isTrue();
    }

    @Test
    void aStreamIsSpentOnceAllThatTheStoreLacksIsWritten() {
        SlowStore store = new SlowStore();
        EventStream stream = stream(store, 1000);
        store.full = true;
        Response response = new Response();
        stream.open(writer(stream, response));
        stream.add(MESSAGE);
        stream.wake();
        assertThat(response.text).contains("notifications/message");
        assertThat(stream.isSpent()).isFalse(); // since more may come

        stream.finish();
        stream.wake();
        assertThat(stream.isSpent()).isTrue();

        EventStream other = stream(store, 1000);
        other.open(writer(other, new Response()));
        other.add(MESSAGE);
        other.finish();
        assertThat(other.isSpent()).isFalse(); // since the message was not written
    }

    @Test
    void whatOverflowsBeforeTheConnectionIsReadFromTheStore() {
        EventStream stream = stream(new InMemoryEventStore(), 100);
        for (int i = 0; i < 50; i++) {
            stream.add(MESSAGE);
        }
        Response response = new Response();
        stream.open(writer(stream, response));

        assertThat(response.text.toString().split("notifications/message", -1)).hasSize(51);
        stream.add(MESSAGE);
        stream.wake();
        assertThat(response.text.toString().split("notifications/message", -1)).hasSize(52);
    }

    @Test
    void withoutAStoreAConnectionThatFellBehindIsDropped() {
        EventStream stream = stream(null, 100);
        Response response = new Response();
        for (int i = 0; i < 50; i++) {
            stream.add(MESSAGE);
        }
        stream.open(writer(stream, response));

        assertThat(response.aborted).isTrue();
        assertThat(stream.isGivenUp()).isTrue();
        assertThat(stream.add(MESSAGE)).isFalse();
    }
}
