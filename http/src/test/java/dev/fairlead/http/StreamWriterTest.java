package dev.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpSessionTest.Response;
import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventStore;

import org.junit.jupiter.api.Test;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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

    @Test
    void aStoreThatFailsEndsTheConnection() {
        EventStream stream =
                new EventStream(new EventStore.Stream("s", "g1", List.of()), new Broken(), 1000);
        Response response = new Response();
        AtomicInteger gone = new AtomicInteger();
        StreamWriter writer =
                new StreamWriter(
                        stream,
                        response,
                        Duration.ofSeconds(1),
                        Clock.systemUTC(),
                        (ended, unwritten) -> gone.incrementAndGet());
        stream.resume(writer, new EventId("s", "g1", 1));

        writer.wake();

        assertThat(response.aborted).isTrue();
        assertThat(gone).hasValue(1);
        assertThat(stream.isConnected()).isFalse();
    }
}
