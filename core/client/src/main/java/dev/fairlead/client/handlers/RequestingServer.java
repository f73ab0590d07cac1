package dev.fairlead.client.handlers;

import dev.fairlead.client.link.LinkChannel;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.engine.OutgoingRequest;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.tasks.receiver.RequestorSession;

import java.time.Duration;

/**
 * The server of one session as the requestor of tasks.
 *
 * @param pollInterval how often the server is asked to poll
 */
public record RequestingServer(LinkChannel session, Duration pollInterval)
        implements RequestorSession {
    @Override
    public WireFace face() {
        return session.face();
    }

    @Override
    public boolean isReachable() {
        return !session.hasEnded();
    }

    /** Never called: handlers of a client send no requests. */
    @Override
    public RawJson request(OutgoingRequest request) {
        throw new UnsupportedOperationException(request.method());
    }

    @Override
    public void notify(JsonRpcNotification notification) {
        session.connection().notify(notification);
    }
}
