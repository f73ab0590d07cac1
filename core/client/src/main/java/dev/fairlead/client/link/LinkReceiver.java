package dev.fairlead.client.link;

import dev.fairlead.protocol.engine.ConnectionHandler;

/** Receives the messages of the server that come by one link. */
public interface LinkReceiver extends ConnectionHandler {
    /** The link has ended. */
    void close();
}
