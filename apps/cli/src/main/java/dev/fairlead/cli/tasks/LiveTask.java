package dev.fairlead.cli.tasks;

import dev.fairlead.cli.view.Screen;
import dev.fairlead.cli.view.StatusLine;
import dev.fairlead.cli.view.TaskLine;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.tasks.Task;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Shows the status of a task while the user waits for it: on a terminal in the status line,
 * elsewhere by a line whenever status or status message change, until it has ended.
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
        handle.onStatus(this::show); // first: the other one lets the watch begin, too
        handle.onProgress(this::progressed);
        ticks.scheduleWithFixedDelay(
                this::draw, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void progressed(Progress reported) {
        progress = reported;
        draw();
    }

    private void show(Task seen) {
        if (seen.status().isTerminal() || ticks.isShutdown() || seen.equals(task)) {
            return; // the outcome says more
        }
        boolean first = task == null;
        task = seen;
        if (first || !screen.terminal()) {
            status.print(TaskLine.calm(seen, screen));
        }
        draw();
    }

    private void draw() {
        Task seen = task;
        if (seen != null && !ticks.isShutdown()) {
            status.show(() -> TaskLine.live(seen, progress, Instant.now(), screen));
        }
    }

    /** Ends the view; does not wait for a request under way. */
    @Override
    public void close() {
        ticks.shutdownNow();
        status.clear();
    }
}
