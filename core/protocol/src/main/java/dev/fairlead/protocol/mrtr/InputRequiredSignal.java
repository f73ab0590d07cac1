package dev.fairlead.protocol.mrtr;

/**
 * Unwinds a handler that has asked its client in a round, up to where the request is answered with
 * its questions: no failure. Interceptors of questions see it pass. An error, so that code which
 * catches exceptions lets it pass as well.
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
