package dev.fairlead.server.handler;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/**
 * What a handler gets that threw {@link InputRequiredException}.
 *
 * @param answers the results by key, as the client sent them: not validated, and only those that it
 *     sent
 * @param state what the handler gave; null for nothing
 */
public record Retry(Map<String, JsonObject> answers, @Nullable JsonValue state) {
    public Retry {
        answers = Map.copyOf(answers);
    }
}
