package dev.fairlead.server.call;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.peer.SessionTasks;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.SessionInfo;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.server.notifications.Announcements;
import dev.fairlead.server.requests.ClientRequest;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * What a call uses of the connection to its client, whether or not there is a session. Thread-safe.
 */
public interface ClientChannel {
    ServerContext server();

    /** Returns the session as interceptors see it; empty before the handshake. */
    Optional<SessionInfo> info();

    /** Returns the name of the transport. */
    String transport();

    /** Returns whether nothing outlives a request. */
    boolean isStateless();

    /** Returns the key under which the calls of anonymous callers are counted. */
    Object key();

    /** Returns the key under which all sessions of an anonymous caller are counted together. */
    Object countedFor();

    /** Returns the owner whose tasks a caller can access. */
    Owner owner(Caller caller);

    /** Returns the tasks of the client; null if the server has none. */
    @Nullable SessionTasks tasks();

    ClientCapabilities capabilities();

    Announcements announcements();

    /**
     * Sends a request to the client and waits for the result.
     *
     * @param exchange the request during which it is sent; null if it belongs to none
     */
    RawJson ask(ClientRequest<?> question, WireFace face, @Nullable Exchange exchange)
            throws InterruptedException;

    /** Sends a notification outside of requests. */
    void notify(JsonRpcNotification notification);

    /** Runs an action once the session has ended. */
    void onClose(Runnable action);
}
