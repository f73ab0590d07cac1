package dev.fairlead.protocol;

/**
 * What became of a question to a person.
 *
 * @param <T> what was asked for
 */
public sealed interface Answer<T> {
    /** The person answered. */
    record Accepted<T>(T value) implements Answer<T> {}

    /** The person did not answer, in whatever way. */
    sealed interface Refused<T> extends Answer<T> {}

    /** The person refused to answer. */
    record Declined<T>() implements Refused<T> {}

    /** The person went away without an answer. */
    record Cancelled<T>() implements Refused<T> {}

    /** An answer. */
    static <T> Answer<T> accept(T value) {
        return new Accepted<>(value);
    }

    /** A refusal. */
    static <T> Answer<T> decline() {
        return new Declined<>();
    }

    /** No answer. */
    static <T> Answer<T> cancel() {
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
