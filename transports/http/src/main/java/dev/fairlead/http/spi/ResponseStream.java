package dev.fairlead.http.spi;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;

/**
 * A response body under way. Calls never block and are not disturbed by an interrupt of the calling
 * thread. They come one at a time: the next {@link #write} or {@link #end} after the one before has
 * completed; only {@link #abort} may come at any time.
 */
public interface ResponseStream {
    /**
     * Writes bytes and flushes them. A write that makes no progress for {@link
     * EngineSettings#clientTimeout} fails.
     *
     * @param bytes not changed before the completion
     * @param completion called once, on this thread or another
     */
    void write(ByteBuffer bytes, Completion completion);

    /** Ends the response properly. */
    void end();

    /** Drops the connection, so that the peer sees that the response is incomplete. */
    void abort();

    /** Receives the result of a write. */
    @FunctionalInterface
    interface Completion {
        /**
         * The bytes were handed to the network, or could not be.
         *
         * @param failure null if they were
         */
        void done(@Nullable Throwable failure);
    }
}
