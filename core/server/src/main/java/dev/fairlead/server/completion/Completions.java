package dev.fairlead.server.completion;

import dev.fairlead.server.handler.Completer;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The completers of the arguments of one prompt or template.
 *
 * @param arguments the names there are
 * @param completers by name of the argument
 */
public record Completions(Set<String> arguments, Map<String, Completer> completers) {
    public Completions {
        arguments = Set.copyOf(arguments);
        completers = Map.copyOf(completers);
    }

    public boolean isPresent() {
        return !completers.isEmpty();
    }

    @Nullable Completer of(String argument) {
        return completers.get(argument);
    }

    /**
     * Collects completers; each argument may have one, which replaces the one that an enum brings.
     */
    public static final class Builder {
        private final Map<String, Completer> completers = new LinkedHashMap<>();

        public void add(String argument, Completer completer, Set<String> known, String subject) {
            if (!known.contains(argument)) {
                throw new IllegalArgumentException(
                        subject + " has no argument " + argument + " to complete, but " + known);
            }
            if (completers.putIfAbsent(argument, completer) != null) {
                throw new IllegalArgumentException(
                        "the argument " + argument + " of " + subject + " is completed twice");
            }
        }

        /** Completes the enum components that have no completer of their own. */
        public void addConstants(Variables<?> variables) {
            for (String name : variables.names()) {
                List<String> constants = variables.constants(name);
                if (!constants.isEmpty()) {
                    completers.putIfAbsent(
                            name, (typed, call) -> startingWith(typed.value(), constants));
                }
            }
        }

        private static List<String> startingWith(String prefix, List<String> values) {
            String start = prefix.toLowerCase(Locale.ROOT);
            return values.stream()
                    .filter(value -> value.toLowerCase(Locale.ROOT).startsWith(start))
                    .toList();
        }

        public Completions build(Set<String> arguments) {
            return new Completions(arguments, completers);
        }
    }
}
