package dev.fairlead.server.call;

import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.peer.SessionTasks;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.SessionInfo;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/** The connection of a call to its client, with or without a session. Thread-safe. */
public interface ClientChannel {
    ServerContext server();

    /** Returns the session as interceptors see it; empty before the handshake. */
    Optional<SessionInfo> info();

    /** Returns the name of the session in logs; empty for none. */
    default Optional<String> sessionName() {
        return Optional.empty();
    }

    /** Returns the name of the transport. */
    String transport();

    /** Returns the node to which others forward the next round of a held call; 0 if none does. */
    default long node() {
        return 0;
    }

    /** Returns the key under which the calls of anonymous callers are counted. */
    Object key();

    /** Returns the key under which all sessions of an anonymous caller are counted together. */
    Object countedFor();

    /** Returns the owner whose tasks a caller can access. */
    Owner owner(Caller caller);

    /** Returns the tasks of the client; null if the server has none. */
    @Nullable SessionTasks tasks();

    ClientCapabilities capabilities();

    /**
     * Sends a notification outside of requests.
     *
     * @throws dev.fairlead.jsonrpc.ConnectionException if nothing can be sent outside of requests
     */
    void notify(JsonRpcNotification notification);
}
