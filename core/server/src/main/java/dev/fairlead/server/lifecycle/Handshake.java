package dev.fairlead.server.lifecycle;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.peer.PeerSession;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.engine.HeapSize;
import dev.fairlead.protocol.face.HandshakeFace;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.lifecycle.InitializeRequest;
import dev.fairlead.protocol.lifecycle.InitializeResult;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.function.Supplier;

/**
 * Answers {@code initialize}, once in a session. Where the transport assumes a revision, there is
 * nothing to negotiate, and {@code initialize} is answered without effect.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle Lifecycle
 */
public final class Handshake {
    private static final System.Logger LOGGER = System.getLogger(Handshake.class.getName());

    /** The most bytes of the parameters of {@code initialize}. */
    public static final int MAX_BYTES = 64 << 10;

    private final Implementation implementation;
    private final @Nullable String instructions;
    private final ServedRevisions revisions;
    private final Supplier<ServerCapabilities> capabilities;
    private final SessionContext context;
    private final KeptBytes.Share kept;
    private final PeerSession<NegotiatedSession> session;

    /**
     * @param capabilities of the server in this session
     * @param kept counts the bytes of the handshake that the session keeps
     */
    public Handshake(
            Implementation implementation,
            @Nullable String instructions,
            ServedRevisions revisions,
            Supplier<ServerCapabilities> capabilities,
            SessionContext context,
            KeptBytes.Share kept,
            PeerSession<NegotiatedSession> session) {
        this.implementation = implementation;
        this.instructions = instructions;
        this.revisions = revisions;
        this.capabilities = capabilities;
        this.context = context;
        this.kept = kept;
        this.session = session;
        context.assumedRevision().map(NegotiatedSession::assumed).ifPresent(session::negotiate);
    }

    /** Answers {@code initialize}. */
    public RawJson initialize(@Nullable RawJson params) {
        InitializeRequest request = read(params);
        String requested = request.protocolVersion();
        WireFace face =
                HandshakeFace.of(
                        revisions
                                .forSession(requested)
                                .orElseThrow(() -> revisions.refusal(requested)));
        ServerCapabilities declared = face.limit(capabilities.get());
        NegotiatedSession agreed =
                new NegotiatedSession(
                        face, face.limit(request.capabilities()), request.clientInfo(), declared);
        if (context.assumedRevision().isEmpty()) {
            keep(agreed, params);
        }
        LOGGER.log(
                Level.DEBUG,
                "Session of {0} over {1}, {2}",
                request.clientInfo().name(),
                context.transport(),
                face.revision());
        return face.writeResult(
                Methods.INITIALIZE,
                new InitializeResult(face.revision().date(), declared, implementation)
                        .withInstructions(instructions));
    }

    private void keep(NegotiatedSession agreed, @Nullable RawJson params) {
        long bytes = params == null ? 0 : HeapSize.of(params.value());
        kept.take(bytes);
        if (!session.negotiate(agreed)) {
            kept.release(bytes);
            throw JsonRpcException.invalidRequest("The session is already initialized");
        }
    }

    /** A version that is missing or malformed is the one case of {@code -32602} here. */
    private InitializeRequest read(@Nullable RawJson params) {
        if (params != null && params.size() > MAX_BYTES) {
            throw new JsonRpcException(
                    McpErrorCode.LIMIT_EXCEEDED,
                    "The parameters of initialize may have %s bytes but have %s"
                            .formatted(MAX_BYTES, params.size()));
        }
        try {
            return HandshakeFace.of(Revision.NEWEST_WITH_HANDSHAKE)
                    .readParams(Methods.INITIALIZE, params)
                    .params();
        } catch (JsonRpcException e) {
            throw new JsonRpcException(
                    e.code(), e.getMessage(), JsonObject.of("supported", revisions.dates()));
        }
    }
}
