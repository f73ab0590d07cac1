package dev.fairlead.server.handler;

import org.jspecify.annotations.Nullable;

/**
 * Something to do within a call.
 *
 * @param <T> what it gives
 * @param <E> what it may throw
 */
@FunctionalInterface
public interface Action<T extends @Nullable Object, E extends Exception> {
    T run() throws E, InterruptedException;
}
