package dev.fairlead.cli.view;

import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.base.ProgressListener;

import org.jspecify.annotations.Nullable;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The last line of a terminal, which shows how far a call has come, and the lines that are printed
 * above it meanwhile. Where there is no terminal only those lines are printed.
 *
 * <p>Thread-safe. Draws at most ten times in a second.
 */
public final class StatusLine implements ProgressListener {
    private static final int MAX_WAITING = 1_000;
    private static final long PAUSE = Duration.ofMillis(100).toNanos();

    private final PrintStream out;
    private final Screen screen;
    private final LongSupplier clock;
    private final ProgressBar bar;

    private final ReentrantLock lock = new ReentrantLock();
    private String shown = ""; // guarded by lock
    private long lastDrawn; // guarded by lock
    private @Nullable Deque<String> waiting; // guarded by lock; null while the line is not held
    private long dropped; // guarded by lock; lines that found no place

    /** A status line on standard error. */
    public StatusLine(PrintStream out, Screen screen) {
        this(out, screen, System::nanoTime);
    }

    StatusLine(PrintStream out, Screen screen, LongSupplier clock) {
        this.out = out;
        this.screen = screen;
        this.clock = clock;
        bar = new ProgressBar(screen);
        lastDrawn = clock.getAsLong() - PAUSE;
    }

    /** Shows how far the call has come, unless that was shown a moment ago. */
    @Override
    public void progress(Progress progress) {
        show(() -> bar.text(progress));
    }

    /** Shows a text that is narrower than the terminal, unless one was shown a moment ago. */
    public void show(Supplier<String> text) {
        lock.lock();
        try {
            long now = clock.getAsLong();
            if (screen.terminal() && waiting == null && now - lastDrawn >= PAUSE) {
                lastDrawn = now;
                draw(text.get());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Prints lines above the status line. */
    public void print(List<String> lines) {
        lock.lock();
        try {
            if (waiting != null) {
                keep(waiting, lines);
                return;
            }
            aside(() -> lines.forEach(out::println));
        } finally {
            lock.unlock();
        }
    }

    /** Lets other code print to the same terminal, while no line of this comes between its own. */
    public void aside(Runnable printing) {
        lock.lock();
        try {
            String status = shown;
            draw("");
            printing.run();
            draw(status);
        } finally {
            lock.unlock();
        }
    }

    private void keep(Deque<String> kept, List<String> lines) {
        for (String line : lines) {
            if (kept.size() == MAX_WAITING) {
                kept.removeFirst();
                dropped++;
            }
            kept.addLast(line);
        }
    }

    /** Takes the status line away; it comes back with the next progress. */
    public void clear() {
        lock.lock();
        try {
            draw("");
        } finally {
            lock.unlock();
        }
    }

    /** Leaves the terminal to other code: shows nothing, and keeps the last 1,000 lines. */
    public void hold() {
        lock.lock();
        try {
            draw("");
            waiting = new ArrayDeque<>();
            dropped = 0;
        } finally {
            lock.unlock();
        }
    }

    /** Prints the waiting lines, and continues as before. */
    public void release() {
        lock.lock();
        try {
            List<String> lines = new ArrayList<>();
            if (waiting != null && dropped > 0) {
                lines.add("(" + dropped + " lines omitted)");
            }
            if (waiting != null) {
                lines.addAll(waiting);
            }
            waiting = null;
            print(lines);
        } finally {
            lock.unlock();
        }
    }

    /** Overwrites the present text with blanks: every terminal can do that. */
    private void draw(String status) {
        if (status.equals(shown)) {
            return;
        }
        int rest = Columns.of(shown) - Columns.of(status);
        out.print("\r" + status + " ".repeat(Math.max(0, rest)) + (status.isEmpty() ? "\r" : ""));
        out.flush();
        shown = status;
    }
}
