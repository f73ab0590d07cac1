package dev.fairlead.opentelemetry;

import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.mrtr.InputRequiredSignal;

import org.jspecify.annotations.Nullable;

/**
 * How an operation ended.
 *
 * @param outcome one of {@code complete}, {@code input_required}, {@code task}, {@code error},
 *     {@code cancelled}
 * @param failure null if it did not fail
 */
record Ending(String outcome, @Nullable Failure failure) {
    private static final String INPUT_REQUIRED = "input_required";
    private static final Ending CANCELLED = new Ending("cancelled", new Failure("cancelled", null));

    static Ending of(Outcome<?> outcome) {
        return switch (outcome) {
            case Outcome.TaskCreated<?> created -> new Ending("task", null);
            case Outcome.InputRequired<?> required -> new Ending(INPUT_REQUIRED, null);
            case Outcome.Complete<?> complete -> {
                Failure failure = Failure.of(complete);
                yield new Ending(failure == null ? "complete" : "error", failure);
            }
        };
    }

    /** The failure of a request whose peer does not wait for it any more. */
    Ending ofCancelled(boolean isCancelled) {
        return isCancelled && failure != null ? CANCELLED : this;
    }

    static Ending of(Throwable thrown) {
        return switch (thrown) {
            case InputRequiredSignal signal -> new Ending(INPUT_REQUIRED, null);
            case InterruptedException interrupted -> CANCELLED;
            default -> new Ending("error", Failure.of(thrown));
        };
    }
}
