package dev.fairlead.server.call;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.server.notifications.Announcements;
import dev.fairlead.server.requests.ClientRequest;

import org.jspecify.annotations.Nullable;

/** The connection to the client of a session. Thread-safe. */
public interface SessionChannel extends ClientChannel {
    /** Returns whether the session ends with its request. */
    boolean isStateless();

    Announcements announcements();

    /**
     * Sends a request to the client and waits for the result.
     *
     * @param exchange the request during which it is sent; null if it belongs to none
     */
    RawJson ask(ClientRequest<?> question, WireFace face, @Nullable Exchange exchange)
            throws InterruptedException;

    /** Runs an action once the session has ended. */
    void onClose(Runnable action);
}
