package dev.fairlead.server.handler;

import java.util.Map;
import java.util.Objects;

/**
 * What a person has typed so far into an argument.
 *
 * @param argument the name of the argument
 * @param value what stands there now, possibly empty
 * @param others the other arguments that are already filled in, by name
 */
public record Completion(String argument, String value, Map<String, String> others) {
    public Completion {
        Objects.requireNonNull(argument, "argument");
        Objects.requireNonNull(value, "value");
        others = Map.copyOf(others);
    }
}
