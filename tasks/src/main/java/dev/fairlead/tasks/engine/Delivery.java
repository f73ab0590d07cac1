package dev.fairlead.tasks.engine;

import dev.fairlead.tasks.TaskQuestion;

/**
 * A question on its way to the requestor: its claim to it in the store, and the thread that waits
 * for the answer.
 */
final class Delivery {
    private final TaskQuestion question;
    private final TaskQuestion.Delivery claim;
    private final TaskCarrier carrier;
    private final Interrupts interrupts = new Interrupts();

    Delivery(TaskQuestion question, TaskQuestion.Delivery claim, TaskCarrier carrier) {
        this.question = question;
        this.claim = claim;
        this.carrier = carrier;
    }

    TaskQuestion question() {
        return question;
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

    /** Takes the question back from the requestor, unless the answer has come. */
    void withdraw() {
        interrupts.stop("withdrawn");
    }

    /** Whether the store still says that this delivers the question. */
    boolean standsIn(Iterable<TaskQuestion> open) {
        for (TaskQuestion other : open) {
            if (other.ordinal() == question.ordinal()) {
                return claim.equals(other.delivery());
            }
        }
        return false;
    }
}
