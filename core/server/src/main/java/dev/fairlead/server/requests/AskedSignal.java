package dev.fairlead.server.requests;

import dev.fairlead.protocol.mrtr.InputRequiredSignal;

/**
 * Unwinds a body that has asked something: the request is answered with its questions. An error, so
 * that no handler takes it for a failure.
 */
final class AskedSignal extends InputRequiredSignal {
    private static final long serialVersionUID = 1;

    AskedSignal() {
        super("the client is asked first, and the body starts again with the answers");
    }
}
