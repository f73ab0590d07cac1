package dev.fairlead.client.link;

import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.SessionExpiredException;

/** The user of a connection, which receives its end. The methods return at once. */
public interface LinkOwner {
    /** The server no longer knows the session. */
    void expired(LinkChannel channel, SessionExpiredException why);

    /** The connection has ended, by this side or by the other one; called once. */
    void ended(LinkChannel channel, ConnectionException why);

    /** A stream of the server could not be resumed, so that the server may be gone. */
    void unreachable();
}
