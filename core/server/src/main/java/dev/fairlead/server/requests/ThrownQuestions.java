package dev.fairlead.server.requests;

import dev.fairlead.json.JsonObject;

import java.util.List;
import java.util.Map;

/**
 * What became of questions that a handler has thrown, once interceptors have seen them.
 *
 * @param open the questions for the client
 * @param thrown the same questions as the handler threw them, for interceptors that see their
 *     answers; empty if there are no interceptors
 * @param answers what interceptors answered in place of the client, by the index of the question
 */
public record ThrownQuestions(
        List<ClientRequest<?>> open,
        List<ClientRequest<?>> thrown,
        Map<Integer, JsonObject> answers) {}
