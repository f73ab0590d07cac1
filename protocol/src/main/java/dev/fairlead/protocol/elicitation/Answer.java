package dev.fairlead.protocol.elicitation;

import dev.fairlead.protocol.tools.ToolFailedException;

import org.jspecify.annotations.Nullable;

/**
 * What became of a question to a person: the one answer type for forms and for pages to visit.
 *
 * @param <T> what was asked for; {@link Void} where consent is all that is asked for
 */
public sealed interface Answer<T extends @Nullable Object> {
    /** The person answered. */
    record Accepted<T extends @Nullable Object>(T value) implements Answer<T> {}

    /** The person did not answer, in whatever way. */
    sealed interface Refused<T extends @Nullable Object> extends Answer<T> {}

    /** The person refused to answer. */
    record Declined<T extends @Nullable Object>() implements Refused<T> {}

    /** The person left without an answer. */
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

    /** Returns the answer of a person who left without one. */
    static <T extends @Nullable Object> Answer<T> cancel() {
        return new Cancelled<>();
    }

    /**
     * The answer.
     *
     * @throws ToolFailedException if the person did not answer
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
