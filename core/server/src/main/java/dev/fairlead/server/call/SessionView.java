package dev.fairlead.server.call;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.SessionInfo;
import dev.fairlead.protocol.changes.ListKind;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.logging.LoggingMessageNotification;
import dev.fairlead.server.handler.ClientSession;
import dev.fairlead.server.handler.ServerRequests;
import dev.fairlead.server.notifications.ReservedNotifications;
import dev.fairlead.server.requests.ClientRequestScope;
import dev.fairlead.server.requests.QuestionLimits;
import dev.fairlead.server.requests.Questions;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A session as authors see it. */
public record SessionView(SessionChannel channel, WireFace face)
        implements ClientSession, ClientRequestScope {
    private static final System.Logger LOGGER = System.getLogger(SessionView.class.getName());

    /** Returns the session of a channel; empty if it has none. */
    public static Optional<ClientSession> of(ClientChannel channel, WireFace face) {
        return channel instanceof SessionChannel session && !session.isStateless()
                ? Optional.of(new SessionView(session, face))
                : Optional.empty();
    }

    @Override
    public Optional<SessionInfo> sessionInfo() {
        return channel.info();
    }

    @Override
    public ClientCapabilities capabilities() {
        return channel.capabilities();
    }

    @Override
    public void onClose(Runnable action) {
        channel.onClose(action);
    }

    @Override
    public void listChanged(ListKind kind) {
        channel.announcements().listChanged(kind);
    }

    @Override
    public void resourceUpdated(String uri) {
        channel.announcements().resourceUpdated(uri);
    }

    @Override
    public void log(LoggingLevel level, @Nullable String logger, JsonValue data) {
        if (!channel.announcements().wantsLog(level)) {
            return;
        }
        try {
            sendToClient(
                    face.notification(
                            Notifications.LOGGING_MESSAGE,
                            new LoggingMessageNotification(level, data).withLogger(logger)));
        } catch (ConnectionException e) {
            LOGGER.log(Level.DEBUG, "A log message was not delivered: {0}", e.getMessage());
        }
    }

    @Override
    public void notify(String method, JsonObject params) {
        ReservedNotifications.refuse(method);
        sendToClient(new JsonRpcNotification(method, RawJson.of(params)));
    }

    @Override
    public ServerRequests requests() {
        return new Questions(this, new PushCarrier(channel, face, null));
    }

    @Override
    public List<Interceptor> interceptors() {
        return settings().interceptors;
    }

    @Override
    public QuestionLimits limits() {
        return settings().questionLimits();
    }

    private ServerSettings settings() {
        return channel.server().settings();
    }

    @Override
    public String elicitationId(int page) {
        return UUID.randomUUID().toString();
    }

    @Override
    public void sendToClient(JsonRpcNotification notification) {
        channel.notify(notification);
    }
}
