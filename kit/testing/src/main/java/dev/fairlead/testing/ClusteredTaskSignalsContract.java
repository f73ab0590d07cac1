package dev.fairlead.testing;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.TaskSignals;

import org.junit.jupiter.api.Test;

import java.util.List;

/**
 * The contract of every {@link TaskSignals} between nodes: all of {@link TaskSignalsContract}, and
 * the signals of one node reach the others.
 */
public abstract class ClusteredTaskSignalsContract extends TaskSignalsContract {
    /** Returns signals that are not open yet, of another node than those that were made last. */
    protected abstract TaskSignals furtherNode() throws Exception;

    @Test
    void whatOneNodeSendsTheOtherReceives() throws Exception {
        RecordingSignalListener farListener = new RecordingSignalListener();
        try (TaskSignals far = furtherNode()) {
            far.open(farListener);
            farListener.forget(); // that it has just begun to listen
            List<TaskId> ids = ids(200);
            ids.forEach(signals::changed);
            farListener.await(ids);
            listener.await(ids);
            listener.forget();
            far.changed(new TaskId("from there"));
            listener.await(List.of(new TaskId("from there")));
        }
        listener.forget();
        signals.changed(new TaskId("alone again"));
        listener.await(List.of(new TaskId("alone again")));
    }

    @Test
    void aListenerThatThrowsDoesNotDisturbOtherNodes() throws Exception {
        listener.fail();
        RecordingSignalListener farListener = new RecordingSignalListener();
        try (TaskSignals far = furtherNode()) {
            far.open(farListener);
            farListener.forget();
            far.changed(new TaskId("heard by both"));
            farListener.await(List.of(new TaskId("heard by both")));
            listener.await(List.of(new TaskId("heard by both")));
        }
    }
}
