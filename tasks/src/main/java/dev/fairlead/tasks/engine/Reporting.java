package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.Progress;
import dev.fairlead.tasks.TaskStoreException;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.Objects;

/** What a run says while it works: its status message and its progress. Thread-safe. */
final class Reporting {
    private static final System.Logger LOGGER = System.getLogger(Reporting.class.getName());

    private final Run run;
    private final NodeParts parts;
    private volatile @Nullable Progression progression; // made when first needed
    private volatile boolean begun;

    Reporting(Run run, NodeParts parts) {
        this.run = run;
        this.parts = parts;
    }

    /** Whether anything was ever said. */
    boolean hasBegun() {
        return begun;
    }

    /** As {@link TaskContext#status}. */
    void status(String message) {
        update(message, null);
    }

    /** As {@link TaskContext#progress}. */
    void progress(Progress report) {
        Progression progress = progression();
        if (!run.isStopped() && progress.rise(report.progress())) {
            parts.telling().progressed(run.local(), run.task(), report);
            progress.store();
        }
    }

    private Progression progression() {
        Progression known = progression;
        if (known != null) {
            return known;
        }
        synchronized (this) {
            if (progression == null) {
                progression =
                        new Progression(
                                parts.timers(),
                                run.task().progress(),
                                value -> update(null, value));
            }
            return Objects.requireNonNull(progression);
        }
    }

    /** What cannot be stored now is not told: the work goes on. */
    private void update(@Nullable String message, @Nullable Double progress) {
        begun = true;
        try {
            if (run.isStopped() || !parts.store().update(run.key(), message, progress)) {
                return;
            }
            parts.news().changed(run.key().id());
            if (message != null) {
                parts.telling().changed(run.local());
            }
        } catch (TaskStoreException e) {
            LOGGER.log(
                    Level.DEBUG, "Status or progress of task {0} was not stored", run.key().id());
        }
    }

    /** Stores what was not stored yet. */
    void flush() {
        Progression known = progression;
        if (known != null) {
            known.flush();
        }
    }

    /** Nothing more is said. */
    void stop() {
        Progression known = progression;
        if (known != null) {
            known.stop();
        }
    }
}
