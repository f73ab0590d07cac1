package dev.fairlead.server.handler;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/**
 * The answers for a handler that threw {@link InputRequiredException} and is entered again.
 *
 * @param answers the results of this round alone, by key, as the specification defines the result
 *     of the method that asked. Under revision 2026-07-28 they are those that the client sent, not
 *     validated, and a key may be missing or unknown; under older revisions each question has one
 * @param state the state that the handler threw; null for none
 */
public record Retry(Map<String, JsonObject> answers, @Nullable JsonValue state) {
    public Retry {
        answers = Map.copyOf(answers);
    }
}
