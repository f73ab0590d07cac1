package dev.fairlead.protocol;

import dev.fairlead.protocol.base.Implementation;

/**
 * The access of operators to a server. It reaches the things of all callers, so it must never be
 * given to a client. Thread-safe; not for implementation by users.
 */
public interface ServerOperator {
    /** Returns the name and version that clients receive. */
    Implementation implementation();

    /**
     * Adds an interceptor around every request from now on, outside of all others. It must only
     * observe, and return soon.
     */
    Observation observe(Interceptor observer);

    /** An interceptor that was added. */
    interface Observation extends AutoCloseable {
        /** Removes it; requests under way are still observed to their end. */
        @Override
        void close();
    }
}
