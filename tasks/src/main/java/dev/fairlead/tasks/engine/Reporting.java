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
        if (update(StatusMessage.cut(message), null)) {
            parts.telling().changed(run.local());
        }
    }

    /** As {@link TaskContext#progress}. */
    void progress(Progress report) {
        if (!run.isStopped()) {
            progression().report(report);
        }
    }

    /** Tells only what is stored, since no later run may fall behind what was told. */
    private void storeAndTell(Progress report) {
        if (update(null, report.progress())) {
            parts.telling().progressed(run.local(), run.task(), report);
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
                        new Progression(parts.timers(), run.task().progress(), this::storeAndTell);
            }
            return Objects.requireNonNull(progression);
        }
    }

    /** Whether that is stored; what cannot be stored now is not told, and the work goes on. */
    private boolean update(@Nullable String message, @Nullable Double progress) {
        begun = true;
        try {
            if (run.isStopped() || !parts.store().update(run.key(), message, progress)) {
                return false;
            }
            parts.news().changed(run.key().id());
            return true;
        } catch (TaskStoreException e) {
            LOGGER.log(Level.DEBUG, "A report of task {0} was not stored", run.key().id());
            return false;
        }
    }

    /** Stores and tells what was not yet; returns when all is. */
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
