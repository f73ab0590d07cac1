package dev.fairlead.server.handler;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.logging.LoggingLevel;

import org.jspecify.annotations.Nullable;

/**
 * The session of a call: it outlives the call. Objects for the same session are equal. Thread-safe,
 * not for implementation by users.
 */
public interface ClientSession extends ClientChanges {
    /** Returns the capabilities of the client. */
    ClientCapabilities capabilities();

    /**
     * Sends a log message, if the level of the session lets it pass, beside the calls: prefer
     * {@link Call#log} where there is one. Over HTTP it needs the stream that a client opens by
     * GET. One that cannot be delivered is dropped.
     *
     * @param logger the name of the logger; null for none
     */
    void log(LoggingLevel level, @Nullable String logger, JsonValue data);

    /**
     * Sends a notification of your own, or {@code notifications/elicitation/complete}, beside the
     * calls.
     *
     * @throws dev.fairlead.jsonrpc.ConnectionException if the connection is lost or its queue full
     */
    void notify(String method, JsonObject params);

    /**
     * Asks the client outside of a call: prefer the call where there is one, since over HTTP only a
     * client that keeps a stream open by GET can be asked here.
     */
    ServerRequests requests();
}
