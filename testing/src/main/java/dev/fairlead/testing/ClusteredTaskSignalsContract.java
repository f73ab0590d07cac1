package dev.fairlead.testing;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.TaskSignals;

import org.junit.jupiter.api.Test;

import java.util.List;

/**
 * What every {@link TaskSignals} must do that goes between nodes: all of {@link
 * TaskSignalsContract}, and that what one node sends the others hear.
 */
public abstract class ClusteredTaskSignalsContract extends TaskSignalsContract {
    /** Signals that are not open yet, of another node than those that were made last. */
    protected abstract TaskSignals furtherNode() throws Exception;

    @Test
    void whatOneNodeSendsTheOtherHears() throws Exception {
        SignalEars farEars = new SignalEars();
        try (TaskSignals far = furtherNode()) {
            far.open(farEars);
            farEars.forget(); // that it has just begun to listen
            List<TaskId> ids = ids(200);
            ids.forEach(signals::changed);
            farEars.await(ids);
            ears.await(ids);
            ears.forget();
            far.changed(new TaskId("from there"));
            ears.await(List.of(new TaskId("from there")));
        }
        ears.forget();
        signals.changed(new TaskId("alone again"));
        ears.await(List.of(new TaskId("alone again")));
    }

    @Test
    void aListenerThatThrowsDoesNotDisturbOtherNodes() throws Exception {
        ears.fail();
        SignalEars farEars = new SignalEars();
        try (TaskSignals far = furtherNode()) {
            far.open(farEars);
            farEars.forget();
            far.changed(new TaskId("heard by both"));
            farEars.await(List.of(new TaskId("heard by both")));
            ears.await(List.of(new TaskId("heard by both")));
        }
    }
}
