package dev.fairlead.client;

import dev.fairlead.protocol.elicitation.Answer;

/** Asks the person to fill in a form, on behalf of the server. */
@FunctionalInterface
public interface ElicitFormHandler {
    /**
     * Shows the form and the server that asks, and lets the person review, change, decline or go
     * away. Runs on a virtual thread of its own that is interrupted when the server no longer wants
     * the answer.
     *
     * @return an accepted value is a {@link dev.fairlead.json.JsonObject}, a map, or a record;
     *     fields that it leaves out get the defaults of the form, and content that does not fit the
     *     form is not sent: the server gets an error
     * @throws Exception {@link dev.fairlead.jsonrpc.JsonRpcException} becomes that error; anything
     *     else is logged and becomes {@code -32603}
     */
    Answer<?> answer(ElicitForm form) throws Exception;
}
