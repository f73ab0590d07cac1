package dev.fairlead.protocol.base;

/** Hears how far a request has come. */
@FunctionalInterface
public interface ProgressListener {
    /**
     * Called on the thread that waits for the answer, in order, and never after the call has
     * returned. Reports that come faster than they are heard are dropped, the oldest first.
     */
    void progress(Progress progress);
}
