package dev.fairlead.client;

import dev.fairlead.protocol.logging.LoggingMessageNotification;

/** Receives the log messages of the server. */
@FunctionalInterface
public interface LogListener {
    /**
     * Called on a thread of the client's, in order. Of messages that come faster than they are
     * handled, the oldest are dropped. Their content comes from the server and may be anything.
     *
     * @throws Exception is logged
     */
    void log(LoggingMessageNotification entry) throws Exception;
}
