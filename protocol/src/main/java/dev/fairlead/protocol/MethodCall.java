package dev.fairlead.protocol;

import java.util.Optional;

/**
 * One method under way, as interceptors see it: a request or notification, from the peer or to it.
 * Not for implementation by users.
 */
public interface MethodCall {
    /** The method, such as {@code tools/call}. */
    String name();

    /** The parameters as their record, such as {@link CallToolRequest}. */
    Object params();

    /** The same method with other parameters, which must be of the same class. */
    MethodCall withParams(Object params);

    /** Whether this side was asked; else it asks. */
    boolean isInbound();

    /** Whether there will be a result; else it is a notification. */
    boolean isRequest();

    /** Who calls; for what this side asks, itself: anonymous. */
    Caller caller();

    /** The revision that was agreed on; empty before that. */
    Optional<Revision> revision();

    /** The first value of a header of the HTTP request that brought it; empty elsewhere. */
    default Optional<String> header(String name) {
        return Optional.empty();
    }
}
