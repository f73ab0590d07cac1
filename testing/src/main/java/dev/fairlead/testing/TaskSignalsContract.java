package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.TaskSignals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * What every {@link TaskSignals} must do, on one node. Extend this class, say how to make signals,
 * and run it with JUnit 5 or 6. Where a test waits for a signal, one that says that anything may
 * have changed will do. Signals that go between nodes extend {@link ClusteredTaskSignalsContract}.
 */
@Timeout(120)
public abstract class TaskSignalsContract {
    final SignalEars ears = new SignalEars();

    @SuppressWarnings("NullAway.Init") // JUnit calls openSignals first
    TaskSignals signals;

    /** Signals that are not open yet. The contract opens and closes them. */
    protected abstract TaskSignals newSignals() throws Exception;

    @BeforeEach
    final void openSignals() throws Exception {
        signals = newSignals();
        signals.open(ears);
    }

    @AfterEach
    final void closeSignals() {
        signals.close();
    }

    static List<TaskId> ids(int count) {
        List<TaskId> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(new TaskId("task-" + i));
        }
        return ids;
    }

    @Test
    void everySignalIsHeard() {
        List<TaskId> ids = ids(1_000);
        ids.forEach(signals::changed);
        ears.await(ids);
    }

    @Test
    void aSignalIsHeardEachTimeItWasSent() {
        List<TaskId> id = ids(1);
        for (int i = 0; i < 3; i++) {
            ears.forget();
            signals.changed(id.getFirst());
            ears.await(id);
        }
    }

    @Test
    void idsOfAnyKindAreHeard() {
        List<TaskId> ids = TaskStoreTests.HOSTILE_TEXTS.stream().map(TaskId::new).toList();
        ids.forEach(signals::changed);
        ears.await(ids);
    }

    @Test
    void signalsOfManyThreadsAreHeard() throws Exception {
        List<TaskId> ids = ids(500);
        Race<TaskId> race = new Race<>(ids);
        for (int i = 0; i < 4; i++) {
            race.with(
                    id -> {
                        signals.changed(id);
                        return true;
                    });
        }
        assertEquals(ids.stream().map(id -> 4).toList(), race.winners());
        ears.await(ids);
    }

    @Test
    void aListenerThatThrowsDisturbsNobody() {
        ears.fail();
        signals.changed(new TaskId("while it fails"));
        ears.await(List.of(new TaskId("while it fails")));
        ears.forget();
        signals.changed(new TaskId("after"));
        ears.await(List.of(new TaskId("after")));
    }

    @Test
    void anInterruptIsKept() throws Exception {
        FutureTask<Boolean> interrupted =
                new FutureTask<>(
                        () -> {
                            Thread.currentThread().interrupt();
                            ids(10).forEach(signals::changed);
                            return Thread.interrupted();
                        });
        Thread.ofVirtual().name("contract-interrupted").start(interrupted);
        assertTrue(interrupted.get(60, TimeUnit.SECONDS));
        ears.await(ids(10));
    }

    @Test
    void signalsAreOpenedOnce() {
        assertThrows(IllegalStateException.class, () -> signals.open(ears));
        signals.close();
        assertThrows(IllegalStateException.class, () -> signals.open(ears));
    }

    @Test
    void whatIsNotOpenYetTellsNobody() throws Exception {
        try (TaskSignals unopened = newSignals()) {
            unopened.changed(new TaskId("early"));
            SignalEars late = new SignalEars();
            unopened.open(late);
            unopened.changed(new TaskId("in time"));
            late.await(List.of(new TaskId("in time")));
        }
    }

    @Test
    void afterTheCloseNothingIsHeard() {
        signals.changed(new TaskId("in time"));
        ears.await(List.of(new TaskId("in time")));
        signals.close();
        ears.forget();
        ids(10).forEach(signals::changed);
        assertTrue(ears.isSilent());
        signals.close();
    }

    @Test
    void closingFromManyThreadsIsClosingOnce() throws Exception {
        Race<Integer> race = new Race<>(List.of(1, 2));
        for (int i = 0; i < 4; i++) {
            race.with(
                    round -> {
                        signals.changed(new TaskId("while closing"));
                        signals.close();
                        return true;
                    });
        }
        assertEquals(List.of(4, 4), race.winners());
    }
}
