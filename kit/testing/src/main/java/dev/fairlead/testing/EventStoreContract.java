package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventLimits;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.EventStore.Event;
import dev.fairlead.protocol.EventStore.Stream;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.stream.LongStream;

/**
 * The contract of every {@link EventStore}. Extend this class, implement the method that makes a
 * store, and run it with JUnit 5 or 6. Stores that outlive their process extend {@link
 * DurableEventStoreContract}.
 */
@Timeout(300)
@Requirement("SSE-019")
public abstract class EventStoreContract {
    static final EventLimits ROOMY = new EventLimits(10_000, 1 << 20, 1 << 24, Duration.ofHours(1));

    /** Returns an empty store. */
    protected abstract EventStore newStore(EventLimits limits) throws Exception;

    static Stream stream(String session, String name) {
        return new Stream(session, name, List.of());
    }

    static byte[] data(int size) {
        return "x".repeat(size).getBytes(StandardCharsets.US_ASCII);
    }

    static EventId append(EventStore store, String session, String name) {
        return store.append(stream(session, name), data(1));
    }

    static List<Long> numbers(Optional<List<Event>> events) {
        return events.orElseThrow().stream().map(event -> event.id().number()).toList();
    }

    static List<Long> numbersAfter(EventStore store, EventId last) {
        return numbers(store.after(last, 1_000));
    }

    @Test
    @Requirement({"SSE-012", "SSE-013"})
    void eventsOfAStreamAreReplayedAfterTheOneSeenLast() throws Exception {
        EventStore store = newStore(ROOMY);
        EventId first = append(store, "s", "a");
        append(store, "s", "b");
        append(store, "t", "a");
        append(store, "s", "a");
        append(store, "s", "a");

        assertEquals(new EventId("s", "a", 1), first);
        assertEquals(List.of(2L, 3L), numbersAfter(store, first));
        assertEquals(List.of(2L), numbers(store.after(first, 1)));
        assertEquals(List.of(1L, 2L, 3L), numbersAfter(store, new EventId("s", "a", 0)));
        assertEquals(List.of(), numbersAfter(store, new EventId("s", "a", 3)));
    }

    @Test
    void whatIsKeptComesBackAsItWas() throws Exception {
        EventStore store = newStore(ROOMY);
        List<byte[]> all =
                List.of(
                        new byte[0],
                        "{\"a\":\"\\\\ \\u0000 'x' \uD83D\uDE00 é\"}"
                                .getBytes(StandardCharsets.UTF_8),
                        data(100_000));
        all.forEach(data -> store.append(stream("s", "a"), data));

        List<Event> kept = store.after(new EventId("s", "a", 0), 10).orElseThrow();
        assertEquals(all.size(), kept.size());
        for (int i = 0; i < all.size(); i++) {
            assertArrayEquals(all.get(i), kept.get(i).data());
        }
    }

    @Test
    void whatIsUnknownIsEmpty() throws Exception {
        EventStore store = newStore(ROOMY);
        append(store, "s", "a");

        assertEquals(Optional.empty(), store.after(new EventId("t", "a", 1), 10));
        assertEquals(Optional.empty(), store.after(new EventId("s", "b", 1), 10));
        assertEquals(Optional.empty(), store.after(new EventId("s", "a", 2), 10));
        assertEquals(Optional.empty(), store.open("s", "b"));
        store.end("s", "b");
        store.end("t", "a");
        store.forget("t");
        assertEquals(List.of(1L), numbersAfter(store, new EventId("s", "a", 0)));
    }

    @Test
    void aStreamIsOpenAsItWasBegunUntilItEnds() throws Exception {
        EventStore store = newStore(ROOMY);
        Stream answer = new Stream("s", "p1", List.of(RequestId.of(7), RequestId.of("7")));
        store.append(answer, data(1));
        store.append(answer, data(1));

        assertEquals(Optional.of(answer), store.open("s", "p1"));
        store.end("s", "p1");
        assertEquals(Optional.empty(), store.open("s", "p1"));
        assertEquals(List.of(2L), numbersAfter(store, new EventId("s", "p1", 1)));
    }

    @Test
    void aBusySessionPushesOutOnlyItsOwnEvents() throws Exception {
        EventStore store = newStore(new EventLimits(3, 1 << 20, 1 << 20, Duration.ofHours(1)));
        append(store, "quiet", "a");
        append(store, "busy", "b");
        for (int i = 0; i < 10; i++) {
            append(store, "busy", "a");
        }
        store.sweep();

        assertEquals(List.of(1L), numbersAfter(store, new EventId("quiet", "a", 0)));
        assertEquals(Optional.empty(), store.after(new EventId("busy", "b", 0), 10));
        assertEquals(Optional.empty(), store.after(new EventId("busy", "a", 6), 10));
        assertEquals(List.of(8L, 9L, 10L), numbersAfter(store, new EventId("busy", "a", 7)));
    }

    @Test
    void aStreamWhoseEventsWereAllSeenIsNotHurtByTheirEviction() throws Exception {
        EventStore store = newStore(new EventLimits(2, 1 << 20, 1 << 20, Duration.ofHours(1)));
        EventId seen = append(store, "s", "quiet");
        append(store, "s", "busy");
        append(store, "s", "busy");
        store.sweep();

        assertEquals(List.of(), numbersAfter(store, seen));
        assertEquals(2, append(store, "s", "quiet").number());
        assertEquals(List.of(2L), numbersAfter(store, seen));
    }

    @Test
    void theBytesOfASessionAreBounded() throws Exception {
        EventStore store = newStore(new EventLimits(1_000, 5_000, 1 << 20, Duration.ofHours(1)));
        for (int i = 0; i < 20; i++) {
            store.append(stream("s", "a"), data(900));
        }
        append(store, "t", "a");
        store.sweep();

        assertEquals(Optional.empty(), store.after(new EventId("s", "a", 14), 10));
        assertEquals(List.of(18L, 19L, 20L), numbersAfter(store, new EventId("s", "a", 17)));
        assertEquals(List.of(1L), numbersAfter(store, new EventId("t", "a", 0)));
    }

    @Test
    void theBytesOfAllSessionsAreBounded() throws Exception {
        EventStore store = newStore(new EventLimits(1_000, 10_000, 10_000, Duration.ofHours(1)));
        for (int i = 0; i < 20; i++) {
            store.append(stream("s" + i, "a"), data(300));
            store.append(stream("s" + i, "a"), data(900));
        }
        store.sweep();

        assertEquals(Optional.empty(), store.after(new EventId("s0", "a", 0), 10));
        assertEquals(List.of(2L), numbersAfter(store, new EventId("s19", "a", 1)));
        long kept =
                LongStream.range(0, 20)
                        .mapToObj(i -> store.after(new EventId("s" + i, "a", 1), 10))
                        .filter(events -> !events.orElse(List.of()).isEmpty())
                        .count();
        assertTrue(kept <= 11, () -> kept + " large events are kept");
    }

    @Test
    void sessionsWithManyBytesPushOutNoEventsOfOthers() throws Exception {
        EventStore store = newStore(new EventLimits(1_000, 4_000, 10_000, Duration.ofHours(1)));
        store.append(stream("quiet", "a"), data(100));
        for (int i = 0; i < 20; i++) {
            store.append(stream("busy" + i % 5, "a"), data(900));
        }
        store.append(stream("large", "a"), data(2_000));
        store.sweep();

        assertEquals(List.of(1L), numbersAfter(store, new EventId("quiet", "a", 0)));
        assertEquals(List.of(1L), numbersAfter(store, new EventId("large", "a", 0)));
        assertEquals(Optional.empty(), store.after(new EventId("busy0", "a", 0), 10));
        assertEquals(List.of(4L), numbersAfter(store, new EventId("busy4", "a", 3)));
    }

    @Test
    void anEventThatExceedsAllLimitsCostsNoOthers() throws Exception {
        EventStore store = newStore(new EventLimits(1_000, 4_000, 10_000, Duration.ofHours(1)));
        store.append(stream("quiet", "a"), data(100));
        store.append(stream("large", "a"), data(20_000));
        store.sweep();

        assertEquals(List.of(1L), numbersAfter(store, new EventId("quiet", "a", 0)));
        assertEquals(List.of(1L), numbersAfter(store, new EventId("large", "a", 0)));
        store.append(stream("other", "a"), data(100));
        store.sweep();
        assertEquals(List.of(1L), numbersAfter(store, new EventId("quiet", "a", 0)));
        assertEquals(Optional.empty(), store.after(new EventId("large", "a", 0), 10));
    }

    @Test
    void theNewestEventStaysHoweverLarge() throws Exception {
        EventStore store = newStore(new EventLimits(1_000, 500, 2_000, Duration.ofHours(1)));
        store.append(stream("s", "a"), data(10));
        EventId large = store.append(stream("s", "a"), data(10_000));
        store.sweep();

        assertEquals(List.of(large.number()), numbersAfter(store, new EventId("s", "a", 1)));
        append(store, "s", "a");
        store.sweep();
        assertEquals(Optional.empty(), store.after(new EventId("s", "a", 1), 10));
        assertEquals(List.of(3L), numbersAfter(store, large));
    }

    @Test
    void oldEventsGo() throws Exception {
        EventStore store = newStore(new EventLimits(1_000, 1 << 20, 1 << 20, Duration.ofMillis(1)));
        EventId first = append(store, "s", "a");
        append(store, "s", "a");
        while (store.after(first, 10).filter(found -> !found.isEmpty()).isPresent()) {
            store.sweep();
        }

        assertEquals(Optional.empty(), store.after(first, 10));
        assertEquals(3, append(store, "s", "a").number());
    }

    @Test
    void aForgottenSessionIsUnknown() throws Exception {
        EventStore store = newStore(ROOMY);
        append(store, "s", "a");
        append(store, "s", "b");
        append(store, "t", "a");
        store.forget("s");

        assertEquals(Optional.empty(), store.after(new EventId("s", "a", 0), 10));
        assertEquals(Optional.empty(), store.open("s", "b"));
        assertEquals(List.of(1L), numbersAfter(store, new EventId("t", "a", 0)));
    }

    @Test
    void aStreamThatEndedIsForgottenWithItsLastEvent() throws Exception {
        EventStore store = newStore(new EventLimits(2, 1 << 20, 1 << 20, Duration.ofHours(1)));
        EventId last = append(store, "s", "a");
        store.end("s", "a");
        assertEquals(List.of(), numbersAfter(store, last));
        append(store, "s", "b");
        append(store, "s", "b");
        store.sweep();

        assertEquals(Optional.empty(), store.after(last, 10));
    }

    @Test
    void whateverIsAppendedWhatIsReplayedHasNoGap() throws Exception {
        Random random = new Random(42);
        EventStore store = newStore(new EventLimits(20, 4_000, 20_000, Duration.ofHours(1)));
        List<EventId> ids = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            Stream stream = stream("s" + random.nextInt(6), "t" + random.nextInt(3));
            ids.add(store.append(stream, data(random.nextInt(500))));
            EventId seen = ids.get(random.nextInt(ids.size()));
            long next = seen.number() + 1;
            for (Event event : store.after(seen, 50).orElse(List.of())) {
                assertEquals(next++, event.id().number());
            }
            if (random.nextInt(10) == 0) {
                store.sweep();
            }
        }
    }

    @Test
    void threadsThatAddToOneStreamAtOnceGetOneNumberEach() throws Exception {
        EventStore store = newStore(ROOMY);
        List<FutureTask<List<Long>>> adding = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            FutureTask<List<Long>> task =
                    new FutureTask<>(
                            () ->
                                    LongStream.range(0, 25)
                                            .mapToObj(n -> append(store, "s", "a").number())
                                            .toList());
            adding.add(task);
            Thread.ofVirtual().start(task);
        }
        List<Long> all = new ArrayList<>();
        for (FutureTask<List<Long>> task : adding) {
            all.addAll(task.get());
        }

        assertEquals(
                LongStream.rangeClosed(1, 200).boxed().toList(), all.stream().sorted().toList());
        assertEquals(all.size(), numbersAfter(store, new EventId("s", "a", 0)).size());
    }

    @Test
    void anInterruptedCallerIsServedAndKeepsItsInterrupt() throws Exception {
        EventStore store = newStore(ROOMY);
        Thread.currentThread().interrupt();
        EventId id = append(store, "s", "a");
        List<Long> found = numbersAfter(store, new EventId("s", "a", 0));

        assertTrue(Thread.interrupted());
        assertEquals(List.of(id.number()), found);
    }
}
