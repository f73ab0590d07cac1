package dev.fairlead.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** {@code fairlead example} as a process of its own. */
final class Program implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;
    private final BufferedReader errors;

    private Program(Process process) {
        this.process = process;
        output = process.inputReader(StandardCharsets.UTF_8);
        errors = process.errorReader(StandardCharsets.UTF_8);
    }

    /** The command line that starts an example in a JVM like this one. */
    static String[] command(String... arguments) {
        String classPath =
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xshare:auto",
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                classPath,
                                Examples.class.getName()));
        command.addAll(List.of(arguments));
        return command.toArray(String[]::new);
    }

    static Program start(String... arguments) throws IOException {
        return new Program(new ProcessBuilder(command(arguments)).start());
    }

    /** The next line of standard output; null at its end. */
    String line() throws IOException {
        return output.readLine();
    }

    /** All of standard output that is left, up to its end. */
    String output() throws IOException {
        return output.lines().collect(Collectors.joining("\n"));
    }

    /** All of standard error, up to its end. */
    String errors() throws IOException {
        return errors.lines().collect(Collectors.joining("\n"));
    }

    /** Types a text and then ends the input. */
    Program type(String text) throws IOException {
        try (var input = process.outputWriter(StandardCharsets.UTF_8)) {
            input.write(text);
        }
        return this;
    }

    int exitStatus() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new AssertionError("the program does not end");
        }
        return process.exitValue();
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
