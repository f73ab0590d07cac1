package dev.fairlead.server.session;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.face.HandshakeFace;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.server.lifecycle.NegotiatedSession;
import dev.fairlead.server.notifications.Announcements;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/**
 * The state with which a session continues in another process: the result of the negotiation, and
 * the log level and subscriptions of its client.
 *
 * @param revision the date of the revision
 * @param initialized whether the client has sent {@code notifications/initialized}
 */
record SessionState(
        String revision,
        ClientCapabilities capabilities,
        @Nullable Implementation client,
        @Nullable ServerCapabilities declared,
        boolean initialized,
        LoggingLevel level,
        List<String> subscriptions) {
    private static final JsonCodec<SessionState> CODEC = JsonCodec.of(SessionState.class);

    static SessionState of(
            NegotiatedSession agreed, boolean initialized, Announcements announcements) {
        return new SessionState(
                agreed.face().revision().date(),
                agreed.capabilities(),
                agreed.client(),
                agreed.declared(),
                initialized,
                announcements.level(),
                announcements.subscriptions());
    }

    /** Empty if this version of the library cannot continue the session from the state. */
    static Optional<SessionState> read(JsonObject state) {
        try {
            return Optional.of(CODEC.read(state))
                    .filter(read -> Revision.withHandshake(read.revision()).isPresent());
        } catch (JsonBindingException e) {
            return Optional.empty();
        }
    }

    SessionState withoutSubscriptions() {
        return new SessionState(
                revision, capabilities, client, declared, initialized, level, List.of());
    }

    JsonObject toJson() {
        return (JsonObject) CODEC.toValue(this);
    }

    NegotiatedSession negotiated() {
        Revision agreed = Revision.of(revision).orElseThrow();
        return new NegotiatedSession(HandshakeFace.of(agreed), capabilities, client, declared);
    }
}
