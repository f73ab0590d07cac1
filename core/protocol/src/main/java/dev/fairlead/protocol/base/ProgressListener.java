package dev.fairlead.protocol.base;

/** Receives the progress of a request. */
@FunctionalInterface
public interface ProgressListener {
    /**
     * Receives a report on the thread that waits for the answer, in order, and never after the call
     * has returned. Reports that come faster than they are handled are dropped, the oldest first.
     */
    void progress(Progress progress);
}
