package dev.fairlead.client.link;

import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.engine.Omissions;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.subscriptions.NotificationFilter;

/** The client that the links belong to. All methods but one return at once. */
public interface LinkClient {
    /** Returns the log of the faults of the server, which is the same for all links. */
    Omissions omissions(Implementation server);

    /** Returns the log of the faults of the server. */
    Omissions omissions();

    /**
     * Reads the definition of a tool again, which is out of date; blocks until that is done.
     *
     * @param seen the version of the definitions by which the call was sent
     * @param options of the call that the reading belongs to
     */
    void readDefinition(String tool, long seen, CallOptions options) throws InterruptedException;

    /** Returns the changes that are wanted now, as far as the server offers them. */
    NotificationFilter wantedChanges(ServerCapabilities server);

    /** Reports changes that may have been missed between two streams. */
    void missedChanges(NotificationFilter granted);

    /** Receives the changes that a stream grants, and those of the one before. */
    void changesGranted(NotificationFilter granted, NotificationFilter before);

    /** A link is open. */
    void opened();

    /** A new link has taken the place of one that the server forgot, and has its state. */
    void renewed(SessionExpiredException why);

    /** The connection of the current link is lost, and this side did not close it. */
    void lost(ConnectionException why);

    /** The server may be gone. */
    void unreachable();
}
