package dev.fairlead.interop;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A process that runs as long as a test needs it. */
final class Child implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final BlockingQueue<String> output = new LinkedBlockingQueue<>();

    private Child(Process process) {
        this.process = process;
        Thread.ofVirtual().name("test-child-output").start(this::read);
    }

    /** The command line that runs a main class of the class path, in a JVM like this one. */
    static List<String> java(Class<?> main, String... arguments) {
        String classPath =
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-cp",
                                classPath,
                                main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Starts a program; its standard output and error are heard as one. */
    static Child start(List<String> command, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        return new Child(builder.start());
    }

    /** A port for a program that cannot choose: the system gives it to nobody else meanwhile. */
    static int freePort() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 30_000);
            try (ServerSocket free = new ServerSocket(port)) {
                return free.getLocalPort();
            } catch (BindException e) {
                // another one
            }
        }
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(output::add);
        } catch (IOException e) {
            // what was read stands
        }
    }

    /** Waits for a line of this form and gives its first group. */
    String await(String form) throws InterruptedException {
        Pattern pattern = Pattern.compile(form);
        StringBuilder heard = new StringBuilder();
        for (String line = poll(); line != null; line = poll()) {
            heard.append(line).append('\n');
            Matcher matcher = pattern.matcher(line);
            if (matcher.find()) {
                return matcher.group(1);
            }
        }
        throw new AssertionError("waited for " + form + " but heard\n" + heard);
    }

    private @Nullable String poll() throws InterruptedException {
        return output.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }

    /**
     * Runs a program to its end.
     *
     * @return its standard output
     * @throws AssertionError if it fails or takes more than three minutes
     */
    static String run(Path directory, List<String> command)
            throws IOException, InterruptedException {
        return run(directory, command, Map.of());
    }

    /** Runs a program to its end, with these additions to its environment. */
    static String run(Path directory, List<String> command, Map<String, String> environment)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile("fairlead-interop", ".out");
        Path errors = Files.createTempFile("fairlead-interop", ".err");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command)
                            .directory(directory.toFile())
                            .redirectOutput(output.toFile())
                            .redirectError(errors.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            boolean ended = process.waitFor(180, TimeUnit.SECONDS);
            process.destroyForcibly().waitFor();
            if (!ended || process.exitValue() != 0) {
                throw new AssertionError(
                        String.join(" ", command)
                                + (ended ? " failed\n" : " does not end\n")
                                + Files.readString(output)
                                + Files.readString(errors));
            }
            return Files.readString(output);
        } finally {
            Files.delete(output);
            Files.delete(errors);
        }
    }
}
