package dev.fairlead.examples;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** Runs an example by its name. */
final class Examples {
    /** The main method of an example. */
    @FunctionalInterface
    private interface Main {
        void run(String[] arguments) throws Exception;
    }

    private static final Map<String, Main> BY_NAME =
            new TreeMap<>(Map.of("hello", Hello::main, "hello-client", HelloClient::main));

    private Examples() {}

    public static void main(String[] arguments) throws Exception {
        Main example = arguments.length == 0 ? null : BY_NAME.get(arguments[0]);
        if (example == null) {
            System.err.println("examples: " + String.join(", ", BY_NAME.keySet()));
            System.exit(arguments.length == 0 ? 0 : 64);
            return;
        }
        example.run(Arrays.copyOfRange(arguments, 1, arguments.length));
    }
}
