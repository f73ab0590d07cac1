package dev.fairlead.showcase;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** {@code fairlead serve} in this JVM: all but signals and the log. */
final class LocalServe implements AutoCloseable {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final FutureTask<Integer> status;
    private final Thread thread;

    private LocalServe(Map<String, String> environment, String... arguments) {
        status =
                new FutureTask<>(
                        () -> {
                            int ended = Serve.run(arguments, environment, lines(), print(err));
                            lines.add(""); // no more come
                            return ended;
                        });
        thread = Thread.ofPlatform().name("test-serve").start(status);
    }

    static LocalServe start(String... arguments) {
        return start(Map.of(), arguments);
    }

    static LocalServe start(Map<String, String> environment, String... arguments) {
        return new LocalServe(environment, arguments);
    }

    private PrintStream lines() {
        return new PrintStream(out, true, StandardCharsets.UTF_8) {
            @Override
            public void println(String line) {
                super.println(line);
                lines.add(line);
            }
        };
    }

    private static PrintStream print(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    /** Waits for the first line of standard output; empty if the program has ended before. */
    String line() throws InterruptedException {
        String line = lines.poll(60, TimeUnit.SECONDS);
        if (line == null) {
            throw new AssertionError("no output; errors: " + errors());
        }
        return line;
    }

    String url() throws InterruptedException {
        String line = line();
        if (!line.startsWith("listening on ")) {
            throw new AssertionError("it printed " + line + "; errors: " + errors());
        }
        return line.substring("listening on ".length());
    }

    /** Waits for the end. */
    int status() throws InterruptedException, ExecutionException, TimeoutException {
        return status.get(60, TimeUnit.SECONDS);
    }

    String output() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String errors() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws InterruptedException {
        thread.interrupt();
        thread.join();
    }
}
