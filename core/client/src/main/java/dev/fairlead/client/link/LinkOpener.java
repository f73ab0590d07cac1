package dev.fairlead.client.link;

import dev.fairlead.client.internal.ClientSettings;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.ForeignAnswerException;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.face.PerRequestFace;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Opens links to one server and ends them. The era of the server, which {@link Negotiation} finds
 * out and {@link KnownEras} remembers, decides here which kind of link it is.
 */
public final class LinkOpener {
    private static final System.Logger LOGGER = System.getLogger(LinkOpener.class.getName());

    private final Remote remote;
    private final LinkContext context;
    private final Function<LinkChannel, LinkReceiver> receiver;
    private final LinkOwner owner;
    private final ClientSettings settings;
    private final AtomicLong lastRequestId = new AtomicLong(); // of all links
    private final Set<LinkChannel> open =
            ConcurrentHashMap.newKeySet(); // also those under way or being replaced
    private volatile @Nullable Opening connecting;
    private volatile boolean closed;
    private boolean hasOpened; // a link before; used by one caller at a time

    /**
     * @param receiver creates the receiver of messages of the server
     * @param owner receives the end of each link
     */
    public LinkOpener(
            Remote remote,
            LinkContext context,
            Function<LinkChannel, LinkReceiver> receiver,
            LinkOwner owner) {
        this.remote = remote;
        this.context = context;
        this.receiver = receiver;
        this.owner = owner;
        this.settings = context.settings();
    }

    /** Opens a link. One caller at a time. */
    public ServerLink open() throws InterruptedException {
        ServerLink link = openLink();
        hasOpened = true;
        return link;
    }

    private ServerLink openLink() throws InterruptedException {
        if (!settings.speaks(Era.PER_REQUEST) || !settings.speaks(Era.HANDSHAKE)) {
            return connect(null);
        }
        Optional<Object> place = remote.place();
        Instant now = context.timers().clock().instant();
        Era known = place.flatMap(of -> KnownEras.SHARED.find(of, now)).orElse(null);
        ServerLink link;
        try {
            link = connectTwice(known);
        } catch (CallException e) {
            boolean isUnreachable =
                    e instanceof ConnectionException && !(e instanceof ForeignAnswerException);
            if (!isUnreachable) {
                place.ifPresent(KnownEras.SHARED::forget);
            }
            if (isUnreachable || known == null || e instanceof RequestTimeoutException) {
                throw e;
            }
            LOGGER.log(
                    Level.DEBUG,
                    "The server is not of the era that was remembered: {0}",
                    Printable.excerpt(e.getMessage()));
            known = null;
            link = connectTwice(null);
        }
        Era found = link.face().revision().era();
        if (found != known) {
            place.ifPresent(of -> KnownEras.SHARED.remember(of, found, now));
        }
        return link;
    }

    private ServerLink connectTwice(@Nullable Era known) throws InterruptedException {
        try {
            return connect(known);
        } catch (Negotiation.ProbeEndedException e) { // old servers may exit when asked
            LOGGER.log(
                    Level.DEBUG,
                    "The server ended when asked by server/discover, so it is started again");
            return connect(Era.HANDSHAKE);
        }
    }

    /**
     * @param known the era of the server; null for unknown
     */
    private ServerLink connect(@Nullable Era known) throws InterruptedException {
        LinkChannel channel = connectedChannel();
        boolean agreed = false;
        try {
            requireOpen(); // and this channel
            ServerLink link = link(channel, known);
            agreed = true;
            return link;
        } finally {
            if (!agreed) { // also where initialize took too long: it is never cancelled
                end(channel);
            }
        }
    }

    private LinkChannel connectedChannel() throws InterruptedException {
        LinkChannel[] opened = new LinkChannel[1];
        Opening attempt =
                new Opening(
                        remote,
                        session -> {
                            LinkChannel channel =
                                    new LinkChannel(
                                            context, session, receiver, owner, lastRequestId);
                            opened[0] = channel;
                            return channel;
                        });
        connecting = attempt;
        if (closed) { // close() may have missed this attempt
            attempt.abandon(closedException());
        }
        Link carrier = attempt.await(settings.requestTimeout, context.timers());
        LinkChannel channel = opened[0];
        channel.carriedBy(carrier);
        open.add(channel);
        return channel;
    }

    private ServerLink link(LinkChannel channel, @Nullable Era known) throws InterruptedException {
        Agreed found =
                new Negotiation(settings, channel.connection(), channel.context(), context.timers())
                        .agree(known);
        Agreed agreed =
                new Agreed(
                        found.face()
                                .reporting(context.client().omissions(found.server().serverInfo())),
                        found.server());
        channel.agree(agreed);
        return agreed.face() instanceof PerRequestFace face
                ? new RequestLink(channel, face, context, hasOpened)
                : new SessionLink(channel, context);
    }

    // ---- the end

    /** Makes sure that links may still be opened and used. */
    public void requireOpen() {
        if (closed) {
            throw closedException();
        }
    }

    /** Returns whether this side has closed all links. */
    public boolean isClosed() {
        return closed;
    }

    private static ConnectionException closedException() {
        return new ConnectionException("the client is closed");
    }

    /** Ends a link; blocks until that is done. */
    public void end(LinkChannel channel) {
        open.remove(channel);
        channel.end();
    }

    /** Ends all links, also one that is being opened. */
    public void close() {
        closed = true;
        Opening attempt = connecting;
        if (attempt != null) {
            attempt.abandon(closedException());
        }
        Set<LinkChannel> channels = Set.copyOf(open);
        channels.forEach(
                channel ->
                        channel.lost(closedException())); // first, to release the callers that wait
        channels.forEach(this::end);
    }
}
