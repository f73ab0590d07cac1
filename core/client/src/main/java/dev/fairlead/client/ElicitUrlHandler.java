package dev.fairlead.client;

import dev.fairlead.protocol.elicitation.Answer;

/** Asks the person to visit a page, on behalf of the server. */
@FunctionalInterface
public interface ElicitUrlHandler {
    /**
     * Shows the whole URL and the server that asks, and opens it only if the person consents, in a
     * browser that neither this program nor a model can look into; never loads it otherwise. Runs
     * on a virtual thread of its own that is interrupted when the server no longer wants the
     * answer.
     *
     * @return {@link Answer#accept()} for consent, which does not mean that the visit is over; the
     *     value of an accepted answer is ignored, since a page to visit asks for none
     * @throws Exception {@link dev.fairlead.jsonrpc.JsonRpcException} becomes that error; anything
     *     else is logged and becomes {@code -32603}
     */
    Answer<?> answer(ElicitUrl link) throws Exception;
}
