package dev.fairlead.server.requests;

import dev.fairlead.json.RawJson;

import java.util.List;

/** Takes questions to a client, and brings its answers. */
@FunctionalInterface
public interface QuestionCarrier {
    /**
     * Asks questions together.
     *
     * @return the results in the order of the questions
     * @throws dev.fairlead.protocol.mrtr.InputRequiredSignal if the client is asked by the result
     *     of its request, after which the handler starts again
     */
    List<RawJson> ask(List<ClientRequest<?>> questions) throws InterruptedException;
}
