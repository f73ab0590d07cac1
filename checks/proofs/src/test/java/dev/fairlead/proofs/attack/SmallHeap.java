package dev.fairlead.proofs.attack;

import dev.fairlead.protocol.time.Uninterruptibly;
import dev.fairlead.test.support.ChildJvm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * A process under attack: a class with a {@code main} method in a JVM of its own, with a bounded
 * heap. The JVM exits at the first {@code OutOfMemoryError}, so a test that asserts {@link
 * #isAlive} fails where a bound is missing. The program calls {@link #ready} once it listens; it is
 * ended by {@link #close}.
 *
 * <pre>{@code
 * try (SmallHeap attacked = SmallHeap.start(UnreadAnswersServer.class, "256m")) {
 *     attack(attacked.port());
 *     assertThat(attacked.isAlive()).as(attacked.log()).isTrue();
 * }
 * }</pre>
 */
final class SmallHeap implements AutoCloseable {
    private static final String READY = "port ";
    private static final int KEPT_LINES = 200;

    private final Process process;
    private final int port;
    private final ConcurrentLinkedQueue<String> log = new ConcurrentLinkedQueue<>();

    private SmallHeap(Process process) throws IOException {
        this.process = process;
        CompletableFuture<Integer> listening = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("small-heap-output").start(() -> read(listening));
        try {
            this.port = listening.get(2, TimeUnit.MINUTES);
        } catch (Exception e) {
            process.destroyForcibly();
            throw new IOException("The process does not listen:\n" + log(), e);
        }
    }

    /**
     * Starts a program and waits until it listens.
     *
     * @param heap for {@code -Xmx}, such as "256m"
     * @param arguments for the program
     */
    static SmallHeap start(Class<?> main, String heap, String... arguments) throws IOException {
        return start(List.of("-XX:+ExitOnOutOfMemoryError"), main, heap, arguments);
    }

    /**
     * Starts a process as {@link #start}, but the JVM continues after an {@code OutOfMemoryError}.
     */
    static SmallHeap startSurviving(Class<?> main, String heap, String... arguments)
            throws IOException {
        return start(List.of(), main, heap, arguments);
    }

    private static SmallHeap start(
            List<String> options, Class<?> main, String heap, String... arguments)
            throws IOException {
        List<String> all =
                new ArrayList<>(
                        List.of(
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC", // on any machine
                                "-Xmx" + heap));
        all.addAll(options);
        List<String> command = ChildJvm.command(all, main, arguments);
        return new SmallHeap(new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /**
     * Reports the port of a program under attack to the test, and blocks until the test ends it.
     * The program calls this at the end of its {@code main}.
     */
    static void ready(int port) throws IOException {
        System.out.println(READY + port);
        while (System.in.read() >= 0) {
            // the test closes standard input
        }
    }

    private void read(CompletableFuture<Integer> listening) {
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(READY)) {
                    listening.complete(Integer.valueOf(line.substring(READY.length())));
                } else if (log.size() < KEPT_LINES) {
                    log.add(line);
                }
            }
            listening.completeExceptionally(new IOException("The process ended"));
        } catch (IOException e) {
            listening.completeExceptionally(new UncheckedIOException(e));
        }
    }

    int port() {
        return port;
    }

    /** Returns whether the process still runs: it exits at its first {@code OutOfMemoryError}. */
    boolean isAlive() {
        return process.isAlive();
    }

    /** Returns the first lines of standard output and error of the process. */
    String log() {
        return String.join("\n", log);
    }

    /** Ends the process and waits for its end. */
    @Override
    public void close() {
        process.destroyForcibly();
        Uninterruptibly.await(process::waitFor);
    }
}
