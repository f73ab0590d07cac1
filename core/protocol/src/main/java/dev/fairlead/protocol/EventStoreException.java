package dev.fairlead.protocol;

import dev.fairlead.jsonrpc.ConnectionException;

import org.jspecify.annotations.Nullable;

/**
 * Reports that a store of events or sessions failed, such as an unreachable database or a full
 * disk. The event was not sent, since a client whose connection broke could not receive it again.
 * The caller may try again later; no restart is needed.
 */
public sealed class EventStoreException extends ConnectionException permits SessionMovedException {
    private static final long serialVersionUID = 1;

    public EventStoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
