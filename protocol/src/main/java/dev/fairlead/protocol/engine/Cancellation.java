package dev.fairlead.protocol.engine;

import org.jspecify.annotations.Nullable;

/**
 * Why a running request was told to stop.
 *
 * @param reason in the words of whoever cancelled; null where none were given
 */
public record Cancellation(Cause cause, @Nullable String reason) {
    /** Who wants it stopped. */
    public enum Cause {
        /** The peer sent {@code notifications/cancelled}: no response is sent. */
        PEER,
        /** The time for it is over: the handler's side answers with an error. */
        DEADLINE,
        /** The connection is gone: nobody is there to be answered. */
        CLOSED
    }
}
