package dev.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventLimits;
import dev.fairlead.protocol.EventStore.Event;
import dev.fairlead.protocol.EventStore.Stream;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

@Requirement("SSE-019")
class InMemoryEventStoreTest {
    private final Watch clock = new Watch();

    private static final class Watch extends Clock {
        Instant now = Instant.parse("2026-01-01T00:00:00Z");

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }

    private InMemoryEventStore store(int events, long sessionBytes, long bytes) {
        return new InMemoryEventStore(
                new EventLimits(events, sessionBytes, bytes, Duration.ofMinutes(1)), clock);
    }

    private static byte[] data(int size) {
        return "x".repeat(size).getBytes(StandardCharsets.US_ASCII);
    }

    private static List<Long> numbers(Optional<List<Event>> events) {
        return events.orElseThrow().stream().map(event -> event.id().number()).toList();
    }

    @Test
    void bytesAreBoundedForEachSessionAndForAll() {
        InMemoryEventStore store = store(1000, 2_000, 5_000);
        for (int i = 0; i < 100; i++) {
            store.append(new Stream("s" + i % 10, "a", List.of()), data(900));
            assertThat(store.bytes()).isLessThanOrEqualTo(5_000);
        }

        assertThat(store.after(new EventId("s0", "a", 0), 10)).isEmpty();
        assertThat(numbers(store.after(new EventId("s9", "a", 9), 10))).containsExactly(10L);
    }

    @Test
    void oldEventsGo() {
        InMemoryEventStore store = store(1000, 1 << 20, 1 << 20);
        store.append(new Stream("s", "a", List.of()), data(1));
        store.append(new Stream("gone", "a", List.of()), data(1));
        clock.now = clock.now.plusSeconds(61);
        store.append(new Stream("s", "a", List.of()), data(1));

        assertThat(store.after(new EventId("s", "a", 0), 10)).isEmpty();
        assertThat(numbers(store.after(new EventId("s", "a", 1), 10))).containsExactly(2L);
        assertThat(store.after(new EventId("gone", "a", 0), 10)).isEmpty();
        assertThat(store.bytes()).isLessThan(100);
    }

    @Test
    void aSessionWhoseEventsAreGoneIsNotLookedAtAgain() {
        InMemoryEventStore store = store(100, 1 << 20, 1 << 20);
        for (int i = 0; i < 50; i++) {
            store.append(new Stream("s" + i, "a", List.of()), data(1));
        }
        clock.now = clock.now.plusSeconds(61);
        store.append(new Stream("busy", "a", List.of()), data(1));

        assertThat(store.filled()).isEqualTo(1);
        assertThat(store.append(new Stream("s7", "a", List.of()), data(1)).number()).isEqualTo(2);
        assertThat(store.filled()).isEqualTo(2);
    }

    @Test
    void limitsArePositive() {
        assertThatThrownBy(() -> store(0, 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the limits of an event store must be positive but were 0, 1, 1 and 60 s");
    }
}
