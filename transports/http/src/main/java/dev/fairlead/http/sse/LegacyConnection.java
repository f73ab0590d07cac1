package dev.fairlead.http.sse;

import dev.fairlead.jsonrpc.ConnectionException;

import java.net.URI;

/** The connection of a client to a server of HTTP+SSE. */
public interface LegacyConnection {
    /** The URL of the stream. */
    URI uri();

    /** The same for logs and messages. */
    String place();

    /** Returns a GET of the stream that is still to be sent. */
    EventGet get();

    /** Runs an action on a thread of its own; does nothing if the connection is closed. */
    void run(Runnable action);

    /** Has messages posted to this place from now on. */
    void postTo(URI endpoint);

    /** Takes a message of the server. */
    void received(byte[] message);

    /** Ends the connection, since its stream is gone. */
    void lost(ConnectionException cause);
}
