package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.json.JsonObject;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;

/** One side stops in the middle of its tasks, and begins again. */
@Requirement("TASK-107")
abstract class TaskReceiverRestartTests extends TaskReceiverTests {
    private final DurableTaskReceiverContract contract;

    TaskReceiverRestartTests(DurableTaskReceiverContract contract, ReceiverBench.Opening side) {
        super(contract, side);
        this.contract = contract;
    }

    private ReceiverBench restart(ReceiverBench before, boolean rerun) throws Exception {
        before.close();
        before.person.awaitInterrupt();
        return open(contract.restarted(), rerun);
    }

    @Test
    void whatWasAnsweredIsKeptAndWhatWasNotIsAskedAgain() throws Exception {
        ReceiverBench first = open(contract.newTasks(), true);
        JsonObject answered = first.created();
        first.person.answer("before");
        assertEquals("before", first.said(first.result("tasks/result", answered)));
        first.person.awaitQuestion();
        JsonObject asked = first.created();
        first.person.awaitQuestion();

        ReceiverBench second = restart(first, true);
        assertEquals("before", second.said(second.result("tasks/result", answered)));
        second.person.awaitQuestion();
        assertEquals("working", second.status(asked));
        second.person.answer("afterwards");
        assertEquals("afterwards", second.said(second.result("tasks/result", asked)));
        assertTrue(second.person.wasAskedNothing());
    }

    @Test
    void whatMayNotRunAgainHasFailedAndSaysSo() throws Exception {
        ReceiverBench first = open(contract.newTasks(), false);
        JsonObject asked = first.created();
        first.person.awaitQuestion();

        ReceiverBench second = restart(first, false);
        assertEquals(-32_603, code(second.error("tasks/result", asked)));
        JsonObject task = second.result("tasks/get", asked);
        assertEquals("failed", task.string("status"));
        assertTrue(task.has("statusMessage"));
        assertTrue(second.person.wasAskedNothing());
    }
}
