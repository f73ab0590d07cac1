package dev.fairlead.server.call;

import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.base.ProgressNotification;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.engine.IncomingRequest;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.server.notifications.HandlerNotifier;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.function.Supplier;

/** Sends the notifications of a plain call on the stream of its response. */
record CallWay(
        IncomingRequest request,
        ClientChannel channel,
        RequestContext client,
        Supplier<@Nullable ProgressToken> progressToken)
        implements HandlerNotifier.Way {
    private static final System.Logger LOGGER = System.getLogger(CallWay.class.getName());

    @Override
    public boolean isOpen() {
        return request.exchange().isStreaming();
    }

    @Override
    public boolean wantsLog(LoggingLevel level) {
        return client.wantsLog(level);
    }

    @Override
    public void progress(Progress progress) {
        ProgressToken token = progressToken.get();
        if (token != null) {
            log(
                    client.face()
                            .notification(
                                    Notifications.PROGRESS,
                                    ProgressNotification.of(token, progress)));
        }
    }

    @Override
    public void log(JsonRpcNotification message) {
        try {
            request.send(message);
        } catch (ConnectionException e) {
            LOGGER.log(Level.DEBUG, "{0} was not delivered: {1}", message.method(), e.getMessage());
        }
    }

    /** Sends outside the request if its response has no stream. */
    @Override
    public void notify(JsonRpcNotification notification) {
        if (isOpen()) {
            request.send(notification);
        } else {
            channel.notify(notification);
        }
    }
}
