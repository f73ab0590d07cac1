package dev.fairlead.protocol.engine;

import org.jspecify.annotations.Nullable;

/**
 * The reason of a cancelled request.
 *
 * @param reason as the cancelling side gave it; null where there is none
 */
public record Cancellation(Cause cause, @Nullable String reason) {
    /** The cause of a cancellation. */
    public enum Cause {
        /** The peer sent {@code notifications/cancelled}: no response is sent. */
        PEER,
        /** The time for it is over: the handler's side answers with an error. */
        DEADLINE,
        /** The connection is gone: there is no peer to answer. */
        CLOSED
    }
}
