package dev.fairlead.client.group;

import dev.fairlead.jsonrpc.ConnectionException;

import org.jspecify.annotations.Nullable;

/**
 * A server of a group cannot be used at the moment; the message names it. The group keeps trying to
 * reach it. Whether a request that was under way was acted on is unknown.
 */
public final class ServerUnavailableException extends ConnectionException {
    private static final long serialVersionUID = 1;

    private final String server;

    ServerUnavailableException(String server, String reason, @Nullable Throwable cause) {
        super("The server " + server + " is not available: " + reason, cause);
        this.server = server;
    }

    /** The name of the server in the group. */
    public String server() {
        return server;
    }
}
