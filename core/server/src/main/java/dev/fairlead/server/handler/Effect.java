package dev.fairlead.server.handler;

/**
 * An action of a handler without a result.
 *
 * @param <E> the exception that it may throw
 */
@FunctionalInterface
public interface Effect<E extends Exception> {
    void run() throws E, InterruptedException;
}
