package dev.fairlead.client.link;

import dev.fairlead.client.changes.Listening;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.peer.PeerSession;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.protocol.SessionInfo;
import dev.fairlead.protocol.Side;
import dev.fairlead.protocol.engine.Connection;
import dev.fairlead.protocol.engine.ConnectionLimits;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.lifecycle.InitializeResult;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** The connection of one link, from its opening to its end, as the transport sees it. */
public final class LinkChannel implements Session {
    private static final System.Logger LOGGER = System.getLogger(LinkChannel.class.getName());

    private final Connection connection;
    private final PeerSession<Agreed> peer;
    private final LinkContext client;
    private final SessionContext context;
    private final LinkOwner owner;
    private volatile @Nullable Link carrier;
    private volatile @Nullable Listening listening;
    private volatile boolean hasAnswered;

    /**
     * @param receiver creates the receiver of messages of the server
     * @param lastRequestId of all links of the client
     */
    public LinkChannel(
            LinkContext client,
            SessionContext context,
            Function<LinkChannel, LinkReceiver> receiver,
            LinkOwner owner,
            AtomicLong lastRequestId) {
        this.client = client;
        this.context = context;
        this.owner = owner;
        LinkReceiver handler = receiver.apply(this);
        this.connection =
                new Connection(
                        context, handler, ConnectionLimits.DEFAULT, client.timers(), lastRequestId);
        this.peer =
                new PeerSession<>(
                        Side.CLIENT,
                        context,
                        connection,
                        client.settings().interceptors(),
                        client.timers());
        peer.onClose(handler::close);
    }

    // ---- the agreement

    public Connection connection() {
        return connection;
    }

    public SessionContext context() {
        return context;
    }

    /** Keeps the agreement with the server. */
    public void agree(Agreed agreed) {
        peer.negotiate(agreed);
    }

    /** The handshake is complete. */
    public void ready() {
        peer.ready();
    }

    private Agreed agreed() {
        return peer.negotiated()
                .orElseThrow(() -> new IllegalStateException("the client has not connected yet"));
    }

    /** Returns the server's description of itself. */
    public InitializeResult server() {
        return agreed().server();
    }

    /** Returns the face of the agreed revision. */
    public WireFace face() {
        return agreed().face();
    }

    @Override
    public Optional<Revision> revision() {
        return peer.revision();
    }

    /** Returns the session as interceptors see it; empty before the handshake, and without one. */
    public Optional<SessionInfo> info() {
        return isOf(Era.PER_REQUEST) ? Optional.empty() : peer.info();
    }

    private boolean isOf(Era era) {
        return peer.revision().filter(agreed -> agreed.era() == era).isPresent();
    }

    /** Checks that the server declares the capability of a request. */
    public void require(Method<?, ?> method) {
        ServerMethods.require(method, server().capabilities(), face());
    }

    /** The server has answered a request. */
    public void answered() {
        if (!hasAnswered) { // mostly nothing is written, which other threads read
            hasAnswered = true;
        }
    }

    /** Returns whether the server has answered a request since the agreement. */
    public boolean hasAnswered() {
        return hasAnswered;
    }

    // ---- messages

    /** Has a stream of changes take the notifications that belong to it. */
    public void listenBy(Listening stream) {
        listening = stream;
        peer.onClose(stream::close);
    }

    /** Notes a notification before any later message, as far as a stream of changes needs it. */
    public void received(JsonRpcNotification notification) {
        Listening stream = listening;
        if (stream != null) {
            stream.received(notification);
        }
    }

    /** Returns whether a notification belongs to no stream, or to one of this side. */
    public boolean takes(JsonRpcNotification notification) {
        Listening stream = listening;
        return stream == null || stream.takes(notification);
    }

    /** Sends a notification as it is. */
    public void notifyRaw(String method, JsonObject params) {
        connection.notify(
                new JsonRpcNotification(method, params.isEmpty() ? null : RawJson.of(params)));
    }

    @Override
    public void accept(JsonRpcMessage message, Exchange exchange) {
        if (message instanceof JsonRpcRequest request && isOf(Era.PER_REQUEST)) {
            LimitedLog.log(
                    LOGGER,
                    Level.WARNING,
                    client.peer(),
                    "A request of the server is dropped, since revision {0} has none: {1}",
                    face().revision(),
                    Printable.excerpt(request.method()));
            return;
        }
        connection.accept(message, exchange);
    }

    @Override
    public void pauseTimeout(RequestId request) {
        connection.pauseTimeout(request);
    }

    @Override
    public void resumeTimeout(RequestId request) {
        connection.resumeTimeout(request);
    }

    @Override
    public void fail(RequestId request, CallException cause) {
        connection.fail(request, cause);
    }

    @Override
    public void unreachable() {
        owner.unreachable();
    }

    @Override
    public void expired(SessionExpiredException cause) {
        owner.expired(this, cause);
    }

    // ---- the end

    /** Returns whether the connection is gone: whether this side or the other one ended it. */
    public boolean hasEnded() {
        return peer.isClosed();
    }

    /** Sets the carrier of the connection; closes it if the connection has ended meanwhile. */
    public void carriedBy(Link link) {
        carrier = link;
        if (peer.isClosed()) {
            link.close();
        }
    }

    @Override
    public void lost(ConnectionException cause) {
        if (peer.close(cause)) {
            owner.ended(this, cause);
        }
    }

    @Override
    public void close() {
        lost(new ConnectionException("the connection was closed"));
    }

    /**
     * Ends the connection and then its carrier; blocks until that is done. A carrier that does not
     * end well must not keep others open.
     */
    public void end() {
        close();
        Link ending = carrier;
        if (ending != null) {
            try {
                ending.close();
            } catch (RuntimeException | Error e) {
                LimitedLog.failed(LOGGER, Level.WARNING, "", e, "A connection did not end well");
            }
        }
    }
}
