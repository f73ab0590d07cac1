package dev.fairlead.gateway;

import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.server.call.HandlerCall;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.ClientSession;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * The clients that connections to the servers are for: a session, or the clients without one that
 * have the same owner and the same description. Requests of two owners never share a connection.
 *
 * @param owner the caller; an anonymous one without a session is known by its address or pipe
 * @param session null for clients without sessions
 * @param capabilities of the client
 * @param level of the log messages that a client without a session wants; null for none
 */
record Downstream(
        Object owner,
        @Nullable ClientSession session,
        ClientCapabilities capabilities,
        @Nullable LoggingLevel level) {
    static Downstream of(Call call) {
        ClientSession session = call.clientSession().orElse(null);
        Object owner = ((HandlerCall) call).scope().callerKey();
        return session == null
                ? new Downstream(owner, null, call.capabilities(), level(call))
                : new Downstream(owner, session, session.capabilities(), null);
    }

    private static @Nullable LoggingLevel level(Call call) {
        if (call.revision().era() == Era.HANDSHAKE) { // the level would be that of a session
            return null;
        }
        for (LoggingLevel level : LoggingLevel.values()) { // from the least serious one
            if (call.wantsLog(level)) {
                return level;
            }
        }
        return null;
    }

    boolean differsInLevelAlone(Downstream other) {
        return owner.equals(other.owner)
                && Objects.equals(session, other.session)
                && capabilities.equals(other.capabilities);
    }

    /** Returns whether the client answers questions of servers at all. */
    boolean canBeAsked() {
        return capabilities.roots()
                || capabilities.sampling()
                || capabilities.elicitationForm()
                || capabilities.elicitationUrl();
    }
}
