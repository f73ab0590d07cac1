package dev.fairlead.showcase;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** {@code fairlead serve} as a process of its own. */
final class Program implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String LISTENING = "listening on ";

    private final Process process;
    private final Path errors;
    private final BlockingQueue<Optional<String>> output = new LinkedBlockingQueue<>();

    private Program(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        Thread.ofVirtual().name("test-program-output").start(this::read);
    }

    /** The command line that starts the program in a JVM like this one. */
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
                                "--enable-native-access=ALL-UNNAMED", // as the launcher
                                "-cp",
                                classPath,
                                Serve.class.getName()));
        command.addAll(List.of(arguments));
        return command.toArray(String[]::new);
    }

    static Program start(String... arguments) throws IOException {
        return start(Map.of(), arguments);
    }

    static Program start(Map<String, String> environment, String... arguments) throws IOException {
        Path errors = Files.createTempFile("fairlead-serve", ".err");
        ProcessBuilder builder =
                new ProcessBuilder(command(arguments)).redirectError(errors.toFile());
        builder.environment().remove("PORT");
        builder.environment().putAll(environment);
        return new Program(builder.start(), errors);
    }

    private void read() {
        try (InputStream bytes = process.getInputStream();
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.add(Optional.of(line));
            }
        } catch (IOException e) {
            // what was read stands
        }
        output.add(Optional.empty());
    }

    /** The next line of standard output; empty at its end. */
    Optional<String> line() throws InterruptedException {
        Optional<String> line = output.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        if (line == null) {
            throw new AssertionError("no output within " + PATIENCE + "; errors: " + errors());
        }
        return line;
    }

    /** All lines of standard output that are left, up to its end. */
    List<String> rest() throws InterruptedException {
        List<String> rest = new ArrayList<>();
        for (Optional<String> line = line(); line.isPresent(); line = line()) {
            rest.add(line.get());
        }
        return rest;
    }

    /** Where the program says that it listens. */
    String url() throws InterruptedException {
        String line = line().orElse("nothing");
        if (!line.startsWith(LISTENING)) {
            throw new AssertionError("it printed " + line + "; errors: " + errors());
        }
        return line.substring(LISTENING.length());
    }

    /** Standard input of the program. */
    OutputStream input() {
        return process.getOutputStream();
    }

    /** What the program has written to standard error. */
    String errors() {
        try {
            return Files.readString(errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Asks the program to end, as SIGTERM does. */
    void terminate() {
        process.destroy();
    }

    /** Ends the program at once, as {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    int exitStatus() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("the program does not end");
        }
        return process.exitValue();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        process.destroyForcibly().waitFor();
        Files.deleteIfExists(errors);
    }
}
