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
 * The contract of every {@link TaskSignals}, on one node. Extend this class, implement the method
 * that makes signals, and run it with JUnit 5 or 6. Where a test waits for a signal, {@link
 * TaskSignals.Listener#anyChanged} is enough. Signals that work between nodes extend {@link
 * ClusteredTaskSignalsContract}.
 */
@Timeout(300)
public abstract class TaskSignalsContract {
    final RecordingSignalListener listener = new RecordingSignalListener();

    @SuppressWarnings("NullAway.Init") // JUnit calls openSignals first
    TaskSignals signals;

    /** Returns signals that are not open yet. The contract opens and closes them. */
    protected abstract TaskSignals newSignals() throws Exception;

    @BeforeEach
    final void openSignals() throws Exception {
        signals = newSignals();
        signals.open(listener);
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
    void everySignalIsReceived() throws Exception {
        List<TaskId> ids = ids(1_000);
        ids.forEach(signals::changed);
        listener.await(ids);
    }

    @Test
    void aSignalIsReceivedEachTimeItWasSent() throws Exception {
        List<TaskId> id = ids(1);
        for (int i = 0; i < 3; i++) {
            listener.forget();
            signals.changed(id.getFirst());
            listener.await(id);
        }
    }

    @Test
    void idsOfAnyKindAreReceived() throws Exception {
        List<TaskId> ids = TaskStoreTests.HOSTILE_TEXTS.stream().map(TaskId::new).toList();
        ids.forEach(signals::changed);
        listener.await(ids);
    }

    @Test
    void signalsOfManyThreadsAreReceived() throws Exception {
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
        listener.await(ids);
    }

    @Test
    void aListenerThatThrowsDisturbsNoOther() throws Exception {
        listener.fail();
        signals.changed(new TaskId("while it fails"));
        listener.await(List.of(new TaskId("while it fails")));
        listener.forget();
        signals.changed(new TaskId("after"));
        listener.await(List.of(new TaskId("after")));
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
        listener.await(ids(10));
    }

    @Test
    void signalsAreOpenedOnce() {
        assertThrows(IllegalStateException.class, () -> signals.open(listener));
        signals.close();
        assertThrows(IllegalStateException.class, () -> signals.open(listener));
    }

    @Test
    void whatIsNotOpenYetNotifiesNoListener() throws Exception {
        try (TaskSignals unopened = newSignals()) {
            unopened.changed(new TaskId("early"));
            RecordingSignalListener late = new RecordingSignalListener();
            unopened.open(late);
            unopened.changed(new TaskId("in time"));
            late.await(List.of(new TaskId("in time")));
        }
    }

    @Test
    void afterTheCloseNothingIsReceived() throws Exception {
        signals.changed(new TaskId("in time"));
        listener.await(List.of(new TaskId("in time")));
        signals.close();
        listener.forget();
        ids(10).forEach(signals::changed);
        assertTrue(listener.isSilent());
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
