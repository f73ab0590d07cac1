package dev.fairlead.server.call;

/**
 * Thrown by the delegate of a server in the first round of a call that {@linkplain
 * dev.fairlead.server.handler.Call#startsAgain starts again}, before it has had any effect: the
 * call begins once more, as one that is held while its client is asked.
 */
public final class HoldCallException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public HoldCallException() {
        super("The call has to be held while its client is asked", null, false, false);
    }
}
