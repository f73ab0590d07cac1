package dev.fairlead.protocol.mrtr;

/**
 * Unwinds a handler that has asked its client in a round, up to the code that answers the request
 * with its questions. It is no failure. It passes through interceptors of questions. It is an
 * error, so that code which catches exceptions does not catch it.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr Multi
 *     round-trip requests
 */
public abstract class InputRequiredSignal extends Error {
    private static final long serialVersionUID = 1;

    /** Creates a signal without a stack trace. */
    protected InputRequiredSignal(String message) {
        super(message, null, false, false);
    }
}
