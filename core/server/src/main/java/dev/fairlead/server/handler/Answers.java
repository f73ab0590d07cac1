package dev.fairlead.server.handler;

/** The answers to questions that were asked together, see {@link ServerRequests#ask}. Immutable. */
public interface Answers {
    /**
     * Returns the answer to a question.
     *
     * @param question the object that was asked, not an equal one
     * @throws IllegalArgumentException if this object was not asked
     */
    <T> T to(Question<T> question);
}
