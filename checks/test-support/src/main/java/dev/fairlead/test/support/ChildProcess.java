package dev.fairlead.test.support;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A process that a test starts; it is killed, and those that it has started, when this is closed.
 * Every wait ends after 60 s, or the time that it is given, with an {@link AssertionError}.
 */
public final class ChildProcess implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String LISTENING = "listening on ";

    private final Process process;
    private final @Nullable Path errors;
    private final BlockingQueue<Optional<String>> output = new LinkedBlockingQueue<>();

    private @Nullable String url; // once it was read

    private ChildProcess(Process process, @Nullable Path errors) {
        this.process = process;
        this.errors = errors;
        Thread.ofPlatform().daemon().name("test-child-output").start(this::read);
    }

    /** Starts a command. */
    public static ChildProcess start(List<String> command) throws IOException {
        return start(new ProcessBuilder(command));
    }

    /** Starts a process; its standard error is kept unless the builder redirects it. */
    public static ChildProcess start(ProcessBuilder builder) throws IOException {
        Path errors = null;
        if (!builder.redirectErrorStream() && builder.redirectError() == Redirect.PIPE) {
            errors = Files.createTempFile("fairlead-child", ".err");
            builder.redirectError(errors.toFile());
        }
        return new ChildProcess(builder.start(), errors);
    }

    private void read() {
        try (Stream<String> lines = process.inputReader(StandardCharsets.UTF_8).lines()) {
            lines.forEach(line -> output.add(Optional.of(line)));
        } catch (UncheckedIOException e) {
            // killed: the lines read so far count
        }
        output.add(Optional.empty());
    }

    /** Waits for the next line of standard output; empty at its end. */
    public Optional<String> line() throws InterruptedException {
        return line(TIMEOUT);
    }

    /** Waits at most this long for the next line of standard output; empty at its end. */
    public Optional<String> line(Duration atMost) throws InterruptedException {
        Optional<String> line = output.poll(atMost.toSeconds(), TimeUnit.SECONDS);
        if (line == null) {
            throw new AssertionError(
                    "no output within %s; threads: %s; errors: %s"
                            .formatted(atMost, threads(), errors()));
        }
        return line;
    }

    /** Makes a JVM print its threads; another program ends. */
    private String threads() throws InterruptedException {
        try {
            signal("QUIT");
        } catch (IOException e) {
            return "unknown";
        }
        List<String> printed = new ArrayList<>();
        for (Optional<String> line = Optional.of(""); line != null && line.isPresent(); ) {
            printed.add(line.get());
            line = output.poll(10, TimeUnit.SECONDS);
        }
        return String.join("\n", printed);
    }

    /** Waits for the end of standard output and returns the lines that are left. */
    public List<String> rest() throws InterruptedException {
        List<String> rest = new ArrayList<>();
        for (Optional<String> line = line(); line.isPresent(); line = line()) {
            rest.add(line.get());
        }
        return rest;
    }

    /**
     * Waits for a line of standard output that contains a match, and drops those before it.
     *
     * @return its first group
     */
    public String await(String regex) throws InterruptedException {
        List<String> others = new ArrayList<>();
        for (Optional<String> line = line(); line.isPresent(); line = line()) {
            Matcher matcher = Pattern.compile(regex).matcher(line.get());
            if (matcher.find()) {
                return matcher.group(1);
            }
            others.add(line.get());
        }
        throw new AssertionError(
                "no line with " + regex + " in " + others + "; errors: " + errors());
    }

    /** Returns the URL in the first line of a server; waits until it is printed. */
    public synchronized String url() {
        if (url == null) {
            url = readUrl();
        }
        return url;
    }

    private String readUrl() {
        try {
            String line = line().orElse("nothing");
            if (!line.startsWith(LISTENING)) {
                throw new AssertionError("it printed " + line + "; errors: " + errors());
            }
            return line.substring(LISTENING.length());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Returns standard input of the process. */
    public OutputStream input() {
        return process.getOutputStream();
    }

    /** Writes a text to standard input, and closes it. */
    public void type(String text) throws IOException {
        try (Writer input = process.outputWriter(StandardCharsets.UTF_8)) {
            input.write(text);
        }
    }

    /** Returns the standard error of the process so far; empty if it is redirected. */
    public String errors() {
        try {
            return errors == null ? "" : Files.readString(errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns its process id. */
    public long pid() {
        return process.pid();
    }

    /** Sends a signal, as {@link #signal(long, String)} does. */
    public void signal(String name) throws IOException, InterruptedException {
        signal(pid(), name);
    }

    /**
     * Sends a signal to a process. After {@code STOP} none of its threads runs: the signal itself
     * reaches one thread, and until that has its turn on a busy processor the others go on.
     */
    public static void signal(long pid, String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor();
        Path threads = Path.of("/proc/" + pid + "/task");
        if (name.equals("STOP") && Files.isDirectory(threads)) {
            Awaiting.await("every thread of process " + pid + " stopped")
                    .until(() -> isStopped(threads));
        }
    }

    private static boolean isStopped(Path threads) {
        try (Stream<Path> all = Files.list(threads)) {
            for (Path thread : (Iterable<Path>) all::iterator) {
                String stat = Files.readString(thread.resolve("stat"));
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
            return true;
        } catch (IOException ended) {
            return false; // a thread; the next look does not list it
        }
    }

    /** Requests the process to end, as SIGTERM does. */
    public void terminate() {
        process.destroy();
    }

    /** Ends the process at once, as {@code kill -9} does. */
    public void kill() throws InterruptedException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
    }

    /** Waits for the end of the process. */
    public int exitStatus() throws InterruptedException {
        if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("the process does not end; errors: " + errors());
        }
        return process.exitValue();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        kill();
        if (errors != null) {
            Files.deleteIfExists(errors);
        }
    }
}
