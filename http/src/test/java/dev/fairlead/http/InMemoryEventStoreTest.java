package dev.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventStore.Event;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

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
        return new InMemoryEventStore(events, sessionBytes, bytes, Duration.ofMinutes(1), clock);
    }

    private static byte[] data(int size) {
        return "x".repeat(size).getBytes(StandardCharsets.US_ASCII);
    }

    private static List<Long> numbers(Optional<List<Event>> events) {
        return events.orElseThrow().stream().map(event -> event.id().number()).toList();
    }

    @Test
    void eventsOfAStreamAreReplayedAfterTheOneSeenLast() {
        InMemoryEventStore store = store(100, 1 << 20, 1 << 20);
        EventId first = store.append("s", "a", data(1));
        store.append("s", "b", data(1));
        store.append("s", "a", data(2));
        store.append("s", "a", data(3));

        assertThat(numbers(store.after(first, 10))).containsExactly(2L, 3L);
        assertThat(numbers(store.after(first, 1))).containsExactly(2L);
        assertThat(numbers(store.after(new EventId("s", "a", 0), 10))).containsExactly(1L, 2L, 3L);
        assertThat(numbers(store.after(new EventId("s", "a", 3), 10))).isEmpty();
    }

    @Test
    void whatIsUnknownIsEmpty() {
        InMemoryEventStore store = store(100, 1 << 20, 1 << 20);
        store.append("s", "a", data(1));

        assertThat(store.after(new EventId("t", "a", 1), 10)).isEmpty();
        assertThat(store.after(new EventId("s", "b", 1), 10)).isEmpty();
        assertThat(store.after(new EventId("s", "a", 2), 10)).isEmpty();
    }

    @Test
    void aBusySessionPushesOutOnlyItsOwnEvents() {
        InMemoryEventStore store = store(3, 1 << 20, 1 << 20);
        store.append("quiet", "a", data(1));
        for (int i = 0; i < 10; i++) {
            store.append("busy", "a", data(1));
        }

        assertThat(numbers(store.after(new EventId("quiet", "a", 0), 10))).containsExactly(1L);
        assertThat(store.after(new EventId("busy", "a", 6), 10)).isEmpty();
        assertThat(numbers(store.after(new EventId("busy", "a", 7), 10)))
                .containsExactly(8L, 9L, 10L);
    }

    @Test
    void aStreamWhoseEventsWereAllSeenIsNotHurtByTheirEviction() {
        InMemoryEventStore store = store(2, 1 << 20, 1 << 20);
        EventId seen = store.append("s", "quiet", data(1));
        store.append("s", "busy", data(1));
        store.append("s", "busy", data(1));

        assertThat(numbers(store.after(seen, 10))).isEmpty();
        assertThat(store.append("s", "quiet", data(1)).number()).isEqualTo(2);
        assertThat(numbers(store.after(seen, 10))).containsExactly(2L);
    }

    @Test
    void bytesAreBoundedForEachSessionAndForAll() {
        InMemoryEventStore store = store(1000, 2_000, 5_000);
        for (int i = 0; i < 100; i++) {
            store.append("s" + i % 10, "a", data(900));
            assertThat(store.bytes()).isLessThanOrEqualTo(5_000);
        }

        assertThat(store.after(new EventId("s0", "a", 0), 10)).isEmpty();
        assertThat(numbers(store.after(new EventId("s9", "a", 9), 10))).containsExactly(10L);
    }

    @Test
    void theNewestEventStaysHoweverLarge() {
        InMemoryEventStore store = store(1000, 100, 200);
        store.append("s", "a", data(10));
        EventId large = store.append("s", "a", data(10_000));

        assertThat(numbers(store.after(new EventId("s", "a", 1), 10)))
                .containsExactly(large.number());
        store.append("s", "a", data(1));
        assertThat(store.after(new EventId("s", "a", 1), 10)).isEmpty();
    }

    @Test
    void oldEventsGo() {
        InMemoryEventStore store = store(1000, 1 << 20, 1 << 20);
        store.append("s", "a", data(1));
        store.append("gone", "a", data(1));
        clock.now = clock.now.plusSeconds(61);
        store.append("s", "a", data(1));

        assertThat(store.after(new EventId("s", "a", 0), 10)).isEmpty();
        assertThat(numbers(store.after(new EventId("s", "a", 1), 10))).containsExactly(2L);
        assertThat(store.after(new EventId("gone", "a", 0), 10)).isEmpty();
        assertThat(store.bytes()).isLessThan(100);
    }

    @Test
    void aForgottenSessionIsUnknown() {
        InMemoryEventStore store = store(1000, 1 << 20, 1 << 20);
        store.append("s", "a", data(1));
        store.forget("s");

        assertThat(store.after(new EventId("s", "a", 0), 10)).isEmpty();
        assertThat(store.bytes()).isZero();
    }

    @Test
    void aStreamThatEndedIsForgottenWithItsLastEvent() {
        InMemoryEventStore store = store(2, 1 << 20, 1 << 20);
        EventId last = store.append("s", "a", data(1));
        store.end("s", "a");
        assertThat(numbers(store.after(last, 10))).isEmpty();
        store.append("s", "b", data(1));
        store.append("s", "b", data(1));

        assertThat(store.after(last, 10)).isEmpty();
    }

    @Test
    void whateverIsAppendedWhatIsReplayedHasNoGap() {
        Random random = new Random(42);
        InMemoryEventStore store = store(20, 4_000, 20_000);
        List<EventId> ids = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            String session = "s" + random.nextInt(6);
            ids.add(store.append(session, "t" + random.nextInt(3), data(random.nextInt(500))));
            EventId seen = ids.get(random.nextInt(ids.size()));
            long next = seen.number() + 1;
            for (Event event : store.after(seen, 50).orElse(List.of())) {
                assertThat(event.id().number()).isEqualTo(next++);
            }
            assertThat(store.bytes()).isLessThanOrEqualTo(20_000);
        }
    }

    @Test
    void aSessionWhoseEventsAreGoneIsNotLookedAtAgain() {
        InMemoryEventStore store = store(100, 1 << 20, 1 << 20);
        for (int i = 0; i < 50; i++) {
            store.append("s" + i, "a", data(1));
        }
        clock.now = clock.now.plusSeconds(61);
        store.append("busy", "a", data(1));

        assertThat(store.filled()).isEqualTo(1);
        assertThat(store.append("s7", "a", data(1)).number()).isEqualTo(2);
        assertThat(store.filled()).isEqualTo(2);
    }

    @Test
    void limitsArePositive() {
        assertThatThrownBy(() -> store(0, 1, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
