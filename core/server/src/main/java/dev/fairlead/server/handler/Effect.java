package dev.fairlead.server.handler;

/**
 * What a handler does and gets nothing back from.
 *
 * @param <E> what it may throw
 */
@FunctionalInterface
public interface Effect<E extends Exception> {
    void run() throws E, InterruptedException;
}
