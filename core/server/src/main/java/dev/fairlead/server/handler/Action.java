package dev.fairlead.server.handler;

import org.jspecify.annotations.Nullable;

/**
 * An action within a call.
 *
 * @param <T> the type of its result
 * @param <E> the exception that it may throw
 */
@FunctionalInterface
public interface Action<T extends @Nullable Object, E extends Exception> {
    T run() throws E, InterruptedException;
}
