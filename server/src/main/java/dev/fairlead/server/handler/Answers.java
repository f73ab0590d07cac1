package dev.fairlead.server.handler;

/** The answers to questions that were asked together. Immutable. */
public interface Answers {
    /**
     * Returns the answer to a question.
     *
     * @param question the same object that was asked
     * @throws IllegalArgumentException if it was not among those that were asked
     */
    <T> T to(Question<T> question);
}
