package dev.fairlead.client.link;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.mrtr.InputRequest;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/** Answers the questions that a server has before it can complete a request. */
public interface InputAnswers {
    /**
     * Answers all questions, several at once. No handler runs before all are known to be such as
     * this client declared.
     *
     * @param inherited the {@code _meta} that interceptors see at questions that have none
     * @return the answers by key, in the order of the questions
     * @throws dev.fairlead.protocol.InvalidResultException if there are too many, or one is
     *     malformed or of a kind that this client did not declare
     */
    Map<String, RawJson> answer(
            Map<String, InputRequest> requests, Revision revision, @Nullable JsonObject inherited)
            throws InterruptedException;

    /**
     * Makes sure that a caller can be given all questions.
     *
     * @throws dev.fairlead.protocol.InvalidResultException as {@link #answer}
     */
    void require(Map<String, InputRequest> requests, Revision revision);
}
