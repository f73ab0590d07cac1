package dev.fairlead.servlet;

import jakarta.servlet.ServletException;

/**
 * Makes the container drop the connection of an answer that has begun, for which servlets have no
 * other way. Containers log it, so it has no stack, which would say nothing.
 */
final class BrokenOffException extends ServletException {
    private static final long serialVersionUID = 1;

    BrokenOffException() {
        super("a stream of events was broken off; its client may resume it");
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
