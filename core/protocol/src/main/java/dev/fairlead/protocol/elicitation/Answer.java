package dev.fairlead.protocol.elicitation;

import dev.fairlead.protocol.tools.ToolFailedException;

import org.jspecify.annotations.Nullable;

/**
 * The answer of a person to a form or to a page to visit: accepted with a value, declined or
 * cancelled.
 *
 * @param <T> the type of the value; {@link Void} if only consent is requested
 */
public sealed interface Answer<T extends @Nullable Object> {
    /** An answer with a value. */
    record Accepted<T extends @Nullable Object>(T value) implements Answer<T> {}

    /** A refusal: declined or cancelled. */
    sealed interface Refused<T extends @Nullable Object> extends Answer<T> {}

    /** A refusal to answer. */
    record Declined<T extends @Nullable Object>() implements Refused<T> {}

    /** The end of a question that the person closed without an answer. */
    record Cancelled<T extends @Nullable Object>() implements Refused<T> {}

    /** Returns consent to visit a page, which carries no value. */
    static Answer<@Nullable Void> accept() {
        return new Accepted<>(null);
    }

    /** Returns an answer. */
    static <T extends @Nullable Object> Answer<T> accept(T value) {
        return new Accepted<>(value);
    }

    /** Returns a refusal. */
    static <T extends @Nullable Object> Answer<T> decline() {
        return new Declined<>();
    }

    /** Returns the answer of a person that closed the question without one. */
    static <T extends @Nullable Object> Answer<T> cancel() {
        return new Cancelled<>();
    }

    /**
     * Returns the value of the answer.
     *
     * @throws ToolFailedException if the person declined or cancelled; in a tool it becomes a
     *     result with {@code isError} that the model can read
     */
    default T orElseThrow() {
        return switch (this) {
            case Accepted<T> accepted -> accepted.value();
            case Declined<T> declined ->
                    throw new ToolFailedException("The user declined to answer");
            case Cancelled<T> cancelled -> throw new ToolFailedException("The user did not answer");
        };
    }
}
