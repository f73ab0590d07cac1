package dev.fairlead.server.call;

import dev.fairlead.peer.AttachedMeta;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.logging.LoggingLevel;

import org.jspecify.annotations.Nullable;

import java.util.function.Predicate;

/**
 * The data of a request about its client, from the handshake of a session or from the request
 * itself: features read it here alone, so that they need no session.
 *
 * @param client null if it is unknown
 * @param takesTasks whether the client can call tools as tasks
 * @param logFilter the levels of log messages that the client wants, which a session can change
 *     while the request runs
 * @param attached the metadata of the request, if it was read already; null if the call reads it
 */
public record RequestContext(
        WireFace face,
        Caller caller,
        ClientCapabilities capabilities,
        @Nullable Implementation client,
        boolean takesTasks,
        Predicate<LoggingLevel> logFilter,
        @Nullable AttachedMeta attached) {
    /** Returns whether the client wants log messages of a level at the moment. */
    boolean wantsLog(LoggingLevel level) {
        return logFilter.test(level);
    }
}
