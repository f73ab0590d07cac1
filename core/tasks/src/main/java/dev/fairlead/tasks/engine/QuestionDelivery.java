package dev.fairlead.tasks.engine;

import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskQuestion;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A question on its way to the requestor: its claim to it in the store, and the thread that waits
 * for the answer.
 */
final class QuestionDelivery {
    private final TaskQuestion question;
    private final TaskQuestion.Delivery claim;
    private final TaskCarrier carrier;
    private final TaskCarrier.@Nullable Prepared prepared;
    private volatile boolean contested;
    private volatile int checks; // thread that matches, and that of signals
    private final Interrupts interrupts = new Interrupts();

    /**
     * @param prepared the request that the claim names; null if it names none
     */
    QuestionDelivery(
            TaskQuestion question,
            TaskQuestion.Delivery claim,
            TaskCarrier carrier,
            TaskCarrier.@Nullable Prepared prepared) {
        this.question = question;
        this.claim = claim;
        this.carrier = carrier;
        this.prepared = prepared;
    }

    /** Asks the requestor, see {@link TaskCarrier#ask}. */
    TaskOutcome ask(StoredTask task) throws InterruptedException {
        return carrier.ask(task, question.method(), question.params(), prepared);
    }

    TaskQuestion question() {
        return question;
    }

    /** Returns the question with this delivery, as the store has it. */
    TaskQuestion asClaimed() {
        return new TaskQuestion(
                question.ordinal(), question.digest(), question.method(), question.params(), claim);
    }

    TaskQuestion.Delivery claim() {
        return claim;
    }

    TaskCarrier carrier() {
        return carrier;
    }

    Interrupts interrupts() {
        return interrupts;
    }

    /** Checks the connection soon: another node may be waiting to deliver the question. */
    void contest() {
        checks = Waiter.CHECKS;
        contested = true;
    }

    /** Returns whether the connection is to be checked for a caller at another node. */
    boolean isToBeChecked() {
        return checks > 0;
    }

    /** Checks the connection for a caller at another node, if that is due. */
    void check() {
        if (checks > 0) {
            checks--;
            carrier.checkConnected();
        }
    }

    boolean isContested() {
        return contested;
    }

    /** Takes the question back from the requestor, unless the answer has come. */
    void withdraw() {
        interrupts.stop("withdrawn");
    }

    /** Returns whether this is still the delivery of the question in the store. */
    boolean standsIn(List<TaskQuestion> open) {
        return open.stream()
                .filter(other -> other.ordinal() == question.ordinal())
                .anyMatch(other -> claim.equals(other.delivery()));
    }
}
