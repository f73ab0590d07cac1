package dev.fairlead.http.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.InMemoryEventStore;
import dev.fairlead.http.spi.ResponseStream;
import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

class StreamWriterTest {
    private static final class Broken implements EventStore {
        @Override
        public EventId append(Stream stream, byte[] data) {
            return new EventId(stream.session(), stream.name(), 1);
        }

        @Override
        public Optional<Stream> open(String session, String name) {
            return Optional.empty();
        }

        @Override
        public Optional<List<Event>> after(EventId last, int limit) {
            throw new IllegalStateException("the store is broken");
        }

        @Override
        public void end(String session, String stream) {}

        @Override
        public void forget(String session) {}
    }

    private static StreamWriter writer(EventStream stream, Response response, Runnable onGone) {
        return new StreamWriter(
                stream,
                response,
                Duration.ofSeconds(1),
                Clock.fixed(Instant.EPOCH, ZoneOffset.UTC),
                null,
                (ended, unwritten) -> onGone.run());
    }

    @Test
    void aConnectionEndsAlthoughWhatFollowsItFails() {
        EventStream stream =
                new EventStream(new EventStore.Stream("s", "p1", List.of()), null, 1000);
        stream.onGivenUp(
                () -> {
                    throw new OutOfMemoryError("unable to create native thread");
                });
        Response response = new Response();
        AtomicInteger gone = new AtomicInteger();
        StreamWriter writer = writer(stream, response, gone::incrementAndGet);
        stream.open(writer);

        assertThatThrownBy(writer::abort).isInstanceOf(OutOfMemoryError.class);
        assertThat(response.aborted).isTrue();
        assertThat(gone).hasValue(1);
    }

    @Test
    void aStoreThatFailsEndsTheConnection() {
        EventStream stream =
                new EventStream(new EventStore.Stream("s", "g1", List.of()), new Broken(), 1000);
        Response response = new Response();
        AtomicInteger gone = new AtomicInteger();
        StreamWriter writer = writer(stream, response, gone::incrementAndGet);
        stream.resume(writer, new EventId("s", "g1", 1));

        writer.wake();

        assertThat(response.aborted).isTrue();
        assertThat(gone).hasValue(1);
        assertThat(stream.isConnected()).isFalse();
    }

    @Test
    void anErrorOfTheEngineEndsTheConnection() {
        EventStream stream = EventStream.unstored(1000);
        AtomicBoolean aborted = new AtomicBoolean();
        AtomicInteger gone = new AtomicInteger();
        ResponseStream response =
                new ResponseStream() {
                    @Override
                    public void write(ByteBuffer bytes, Completion completion) {
                        throw new LinkageError("a class is missing");
                    }

                    @Override
                    public void end() {}

                    @Override
                    public void abort() {
                        aborted.set(true);
                    }
                };
        StreamWriter writer =
                new StreamWriter(
                        stream,
                        response,
                        Duration.ofSeconds(1),
                        Clock.fixed(Instant.EPOCH, ZoneOffset.UTC),
                        null,
                        (ended, unwritten) -> gone.incrementAndGet());
        stream.add(OutgoingEvent.priming());

        stream.open(writer);

        assertThat(aborted).isTrue();
        assertThat(gone).hasValue(1);
        assertThat(stream.isConnected()).isFalse();
    }

    @Test
    @Requirement("SSE-003")
    void aConnectionThatIsJustBeingMadeBeginsWithItsFirstEvent() {
        for (int i = 0; i < 200; i++) {
            EventStream stream =
                    new EventStream(
                            new EventStore.Stream("s", "p" + i, List.of()),
                            new InMemoryEventStore(),
                            1000);
            stream.add(OutgoingEvent.priming());
            Response response = new Response();
            StreamWriter writer = writer(stream, response, () -> {});

            writer.beat(Instant.EPOCH.minus(Duration.ofSeconds(15)));
            stream.open(writer);

            assertThat(response.text).startsWith("retry: 1000\nid: ");
        }
    }
}
