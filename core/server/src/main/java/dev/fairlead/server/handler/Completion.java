package dev.fairlead.server.handler;

import java.util.Map;
import java.util.Objects;

/**
 * The text that a person has typed so far into an argument.
 *
 * @param argument the name of the argument
 * @param value the text so far, possibly empty
 * @param others the other arguments that are already filled in, by name
 */
public record Completion(String argument, String value, Map<String, String> others) {
    public Completion {
        Objects.requireNonNull(argument, "argument");
        Objects.requireNonNull(value, "value");
        others = Map.copyOf(others);
    }
}
