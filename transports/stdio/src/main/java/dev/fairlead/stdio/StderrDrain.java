package dev.fairlead.stdio;

import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.time.LastingLoop;
import dev.fairlead.protocol.time.LimitedLog;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads standard error of a child to its end, also if the listener fails, so that the child never
 * waits for a reader. Runs on a thread of its own, which ends with the stream.
 */
final class StderrDrain implements Runnable {
    /** The lines that {@link #lastLines} gives, and the characters of each. */
    private static final int KEPT_LINES = 5;

    private static final int KEPT_CHARACTERS = 200;

    private static final System.Logger LOGGER = System.getLogger(StderrDrain.class.getName());
    private static final int MAX_LINE = 16 << 10;

    /** The most bytes of a character behind its first one. */
    private static final int REST_OF_CHARACTER = 3;

    private final InputStream in;
    private final Consumer<String> listener;
    private final byte[] chunk = new byte[8 << 10];
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final Deque<String> last = new ArrayDeque<>(); // guarded by itself
    private final Thread thread =
            Thread.ofPlatform().name("mcp-stdio-stderr").daemon().unstarted(this);

    private StderrDrain(InputStream in, Consumer<String> listener) {
        this.in = in;
        this.listener = listener;
    }

    static StderrDrain start(InputStream in, Consumer<String> listener) {
        StderrDrain drain = new StderrDrain(in, listener);
        drain.thread.start();
        return drain;
    }

    /** Waits until everything was read and handed to the listener. */
    void join(Duration timeout) throws InterruptedException {
        thread.join(timeout);
    }

    /** The last lines that are not blank, each cut after 200 characters; safe for any thread. */
    List<String> lastLines() {
        synchronized (last) {
            return List.copyOf(last);
        }
    }

    private void keep(String text) {
        String kept = Printable.line(text);
        if (kept.isEmpty()) {
            return;
        }
        synchronized (last) {
            if (last.size() == KEPT_LINES) {
                last.removeFirst();
            }
            last.addLast(
                    kept.length() <= KEPT_CHARACTERS
                            ? kept
                            : kept.substring(0, KEPT_CHARACTERS) + "…");
        }
    }

    @Override
    public void run() {
        try (in) {
            LastingLoop.run(LOGGER, "", "A part of standard error is skipped", this::readOnce);
        } catch (IOException e) {
            LOGGER.log(Level.DEBUG, "Standard error of a server process was lost", e);
        }
        if (line.size() > 0) {
            deliver();
        }
    }

    /** Returns false at the end of the stream. */
    private boolean readOnce() {
        int count;
        try {
            count = in.read(chunk);
        } catch (IOException e) {
            LOGGER.log(Level.DEBUG, "Standard error of a server process was lost", e);
            return false;
        }
        for (int i = 0; i < count; i++) {
            take(chunk[i]);
        }
        return count >= 0;
    }

    private void take(byte next) {
        boolean insideCharacter =
                (next & 0xC0) == 0x80 && line.size() < MAX_LINE + REST_OF_CHARACTER;
        if (line.size() >= MAX_LINE && !insideCharacter && next != '\n') {
            deliver();
        }
        if (next == '\n') {
            deliver();
        } else {
            line.write(next);
        }
    }

    private void deliver() {
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        keep(text);
        try {
            listener.accept(text.endsWith("\r") ? text.substring(0, text.length() - 1) : text);
        } catch (RuntimeException | Error e) {
            LimitedLog.failed(
                    LOGGER, Level.WARNING, "", e, "The listener to standard error failed");
        }
    }
}
