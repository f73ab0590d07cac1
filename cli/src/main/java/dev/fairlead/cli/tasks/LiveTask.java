package dev.fairlead.cli.tasks;

import dev.fairlead.cli.view.Screen;
import dev.fairlead.cli.view.StatusLine;
import dev.fairlead.cli.view.TaskLine;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.protocol.Progress;
import dev.fairlead.protocol.Task;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Shows how a task stands while somebody waits for it: on a terminal in the status line, elsewhere
 * by a line whenever status or status message change. The server is asked for that as often as it
 * suggests, but once in a second at most; what it answers to this counts for nothing else.
 *
 * <p>Begins with {@link #begin}, and ends when it is closed. Progress may come on any thread.
 */
final class LiveTask implements AutoCloseable {
    private static final Duration TICK = Duration.ofSeconds(1);

    private final TaskHandle<?> handle;
    private final StatusLine status;
    private final Screen screen;
    private final ScheduledExecutorService ticks =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofVirtual().name("fairlead-task-view").factory());
    private volatile @Nullable Task task; // as it was shown last
    private volatile @Nullable Progress progress;
    private Instant nextLook = Instant.MIN; // confined to ticks after the beginning

    LiveTask(TaskHandle<?> handle, StatusLine status, Screen screen) {
        this.handle = handle;
        this.status = status;
        this.screen = screen;
    }

    /**
     * Begins to show the task.
     *
     * @param known how it stands; null where that is not known
     */
    void begin(@Nullable Task known) {
        if (known != null) {
            show(known);
        }
        handle.onProgress(this::progressed);
        ticks.scheduleWithFixedDelay(
                this::tick, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void progressed(Progress reported) {
        progress = reported;
        draw();
    }

    private void tick() {
        try {
            if (!Instant.now().isBefore(nextLook)) {
                handle.task().ifPresent(this::show);
            }
            draw();
        } catch (CallException e) {
            // whoever waits for the task is told what goes wrong
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void show(Task seen) {
        Task before = task;
        task = seen;
        Long interval = seen.pollInterval();
        nextLook = Instant.now().plusMillis(interval == null ? 0 : interval);
        if (screen.terminal() ? before == null : isNews(before, seen)) {
            status.print(TaskLine.calm(seen, screen));
        }
        draw();
    }

    private static boolean isNews(@Nullable Task before, Task seen) {
        return before == null
                || before.status() != seen.status()
                || !Objects.equals(before.statusMessage(), seen.statusMessage());
    }

    private void draw() {
        Task seen = task;
        if (seen != null && !ticks.isShutdown()) {
            status.show(() -> TaskLine.live(seen, progress, Instant.now(), screen));
        }
    }

    /** Ends the view; does not wait for what is being asked. */
    @Override
    public void close() {
        ticks.shutdownNow();
        status.clear();
    }
}
