package dev.fairlead.protocol;

import dev.fairlead.protocol.base.Implementation;

import java.util.List;
import java.util.Map;
import java.util.Set;

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

    /** Returns the limits of the server in force, by the names of their options. */
    Map<String, String> limits();

    /**
     * Returns the declared features, also those that some callers do not see.
     *
     * @param caller whose view of them is described
     */
    List<FeatureStatus> features(Caller caller);

    /**
     * A feature.
     *
     * @param kind such as {@code tool}
     * @param name the name or URI under which clients use it
     * @param scopes all that its use requires
     * @param hidden whether it is hidden from some callers
     * @param visible whether the caller sees it
     * @param admitted whether the caller may use it
     * @param quick whether its latest runs were quick, so that the reading thread may run it
     */
    record FeatureStatus(
            String kind,
            String name,
            Set<String> scopes,
            boolean hidden,
            boolean visible,
            boolean admitted,
            boolean quick) {}

    /** An interceptor that was added. */
    interface Observation extends AutoCloseable {
        /** Removes it; requests under way are still observed to their end. */
        @Override
        void close();
    }
}
