package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.EventStore.Stream;
import dev.fairlead.protocol.StreamTakenOverException;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;

/**
 * The contract of every {@link EventStore} that several server processes use at the same time: all
 * of {@link DurableEventStoreContract}, and a stream that answers requests belongs to one of them.
 */
public abstract class SharedEventStoreContract extends DurableEventStoreContract {
    private static final Stream CALL = new Stream("s", "p1", List.of(RequestId.of(1)));

    /**
     * Returns a store on the same contents as the one that was made last, as of another process;
     * both are used.
     */
    protected abstract EventStore another() throws Exception;

    /**
     * Kills the process that uses a store, or freezes it until the others consider it dead, and
     * returns then. Afterwards the store can still be called, as by a process that was only frozen.
     *
     * @param store one of {@link #another()}
     */
    protected abstract void freeze(EventStore store) throws Exception;

    @Test
    void aStreamIsNotTakenOverFromAProcessThatLives() throws Exception {
        EventStore serving = newStore(ROOMY);
        EventStore other = another();
        serving.append(CALL, data(1));

        assertFalse(other.takeOver("s", "p1"));
        assertTrue(serving.takeOver("s", "p1"));
        assertEquals(2, serving.append(CALL, data(1)).number());
        assertThrows(StreamTakenOverException.class, () -> other.append(CALL, data(1)));
        assertEquals(List.of(1L, 2L), numbersAfter(other, new EventId("s", "p1", 0)));
        assertEquals(Optional.of(CALL), other.open("s", "p1"));
    }

    @Test
    void whatIsUnknownOrHasEndedIsNotTakenOver() throws Exception {
        EventStore serving = newStore(ROOMY);
        EventStore other = another();
        serving.append(CALL, data(1));
        serving.end("s", "p1");

        assertFalse(other.takeOver("s", "p1"));
        assertFalse(other.takeOver("s", "never"));
    }

    @Test
    void eachProcessMayAddToAStreamWithoutRequests() throws Exception {
        EventStore first = newStore(ROOMY);
        EventStore second = another();

        assertEquals(1, append(first, "s", "g1").number());
        assertEquals(2, append(second, "s", "g1").number());
        assertEquals(3, append(first, "s", "g1").number());
    }

    @Test
    void aProcessThatWasFrozenCannotAddToAStreamThatAnotherHasTakenOver() throws Exception {
        EventStore other = newStore(ROOMY);
        EventStore frozen = another();
        Stream kept = new Stream("s", "p2", List.of(RequestId.of(2)));
        frozen.append(CALL, data(1));
        frozen.append(kept, data(1));
        freeze(frozen);

        assertTrue(other.takeOver("s", "p1"));
        assertEquals(2, other.append(CALL, data(2)).number());
        assertThrows(StreamTakenOverException.class, () -> frozen.append(CALL, data(3)));
        other.end("s", "p1");
        assertThrows(StreamTakenOverException.class, () -> frozen.append(CALL, data(3)));
        assertFalse(frozen.takeOver("s", "p1"));

        assertEquals(List.of(1L, 2L), numbersAfter(other, new EventId("s", "p1", 0)));
        assertEquals(2, frozen.append(kept, data(1)).number()); // which no store has taken over
    }

    @Test
    void ofManyThatTakeAStreamOverAtOnceOneGetsIt() throws Exception {
        List<EventStore> others = new ArrayList<>(List.of(newStore(ROOMY), another(), another()));
        EventStore dead = another();
        int streams = 20;
        for (int i = 0; i < streams; i++) {
            dead.append(new Stream("s", "p" + i, List.of(RequestId.of(i))), data(1));
        }
        freeze(dead);
        for (int i = 0; i < streams; i++) {
            String name = "p" + i;
            CountDownLatch start = new CountDownLatch(1);
            List<FutureTask<Boolean>> takers = new ArrayList<>();
            for (EventStore other : others) {
                var taker =
                        new FutureTask<>(
                                () -> {
                                    start.await();
                                    return other.takeOver("s", name);
                                });
                takers.add(taker);
                Thread.ofVirtual().start(taker);
            }
            start.countDown();
            List<Boolean> taken = new ArrayList<>();
            for (FutureTask<Boolean> taker : takers) {
                taken.add(taker.get());
            }

            assertEquals(1, taken.stream().filter(each -> each).count());
            List<Boolean> again =
                    IntStream.range(0, others.size())
                            .mapToObj(each -> others.get(each).takeOver("s", name))
                            .toList();
            assertEquals(taken, again);
        }
    }
}
