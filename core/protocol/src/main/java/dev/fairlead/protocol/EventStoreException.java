package dev.fairlead.protocol;

import dev.fairlead.jsonrpc.ConnectionException;

import org.jspecify.annotations.Nullable;

/**
 * A store of events or sessions could not do what it was asked: the database is gone, the disk is
 * full. What was to be sent was not sent, since a client whose connection broke could not have it
 * again. It may be tried again later: nothing needs a restart.
 */
public sealed class EventStoreException extends ConnectionException
        permits StreamTakenOverException {
    private static final long serialVersionUID = 1;

    public EventStoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
