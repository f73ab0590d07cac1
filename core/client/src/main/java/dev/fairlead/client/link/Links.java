package dev.fairlead.client.link;

import dev.fairlead.client.internal.ClientSettings;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.protocol.engine.TokenBucket;
import dev.fairlead.protocol.time.LastingLoop;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Keeps the link to the server: opens the first one when asked to or with the first request, and a
 * new one when the server has forgotten the old one or its process has ended.
 *
 * <p>The lock makes sure that only one link is opened at a time; it is held while that happens, so
 * that all others wait for that link.
 */
public final class Links implements LinkOwner {
    private static final System.Logger LOGGER = System.getLogger(Links.class.getName());

    /** How many links may be lost in a row before they answer anything. */
    private static final int FRUITLESS_IN_A_ROW = 3;

    /** The time until the next attempt where the server could not be started. */
    private static final Duration RESTART_WAIT = Duration.ofSeconds(20);

    /** The time for one new link that no request asks for, after the first ones. */
    private static final Duration UNASKED_INTERVAL = Duration.ofSeconds(10);

    private final LinkContext context;
    private final ClientSettings settings;
    private final Timers timers;
    private final LinkClient client;
    private final LinkOpener opener;
    private final ProcessRestarts restarts;
    private final TokenBucket fruitless; // links that may be lost before they answer anything
    private final TokenBucket unasked; // links that no request asks for
    private final ReentrantLock opening = new ReentrantLock();
    private final AtomicReference<@Nullable LinkChannel> reported =
            new AtomicReference<>(); // whose loss was reported
    private final AtomicReference<@Nullable ServerLink> reportedRestart =
            new AtomicReference<>(); // that failed
    private volatile long attempts; // to open a link; counted with the lock of opening
    private @Nullable CallException lastFailure; // of the last of them; guarded by opening
    private volatile @Nullable ServerLink current;

    /**
     * @param receiver creates the receiver of messages of the server
     */
    public Links(LinkContext context, Remote remote, Function<LinkChannel, LinkReceiver> receiver) {
        this.context = context;
        this.settings = context.settings();
        this.timers = context.timers();
        this.client = context.client();
        this.opener = new LinkOpener(remote, context, receiver, this);
        this.restarts = new ProcessRestarts(timers);
        this.fruitless =
                new TokenBucket(1, settings.requestTimeout, FRUITLESS_IN_A_ROW, timers::nanoTime);
        this.unasked = new TokenBucket(1, UNASKED_INTERVAL, FRUITLESS_IN_A_ROW, timers::nanoTime);
    }

    /** Returns the link that was opened last; it may have ended. */
    public ServerLink known() {
        ServerLink link = current;
        if (link == null) {
            throw new IllegalStateException("the client has not connected yet");
        }
        return link;
    }

    /** Returns the link that was opened last; null before the first one. */
    public @Nullable ServerLink latest() {
        return current;
    }

    /** Returns the link to send the next request by, opened now if there is none. */
    public ServerLink current() throws InterruptedException {
        opener.requireOpen();
        ServerLink link = current;
        if (link == null) {
            return open(null, () -> {}, null);
        }
        return link.hasEnded() && link.isReplaceable() ? restart(link) : link;
    }

    /** Other changes may be wanted now. Returns at once. */
    public void changesWanted() {
        ServerLink link = current;
        if (link != null) {
            link.changesWanted();
        }
    }

    /** Returns whether no later request can reach the server. */
    public boolean isLost() {
        ServerLink link = current;
        return opener.isClosed() || (link != null && link.hasEnded() && !link.isReplaceable());
    }

    /**
     * Starts a server process again that has ended, unless that was done meanwhile: nothing was
     * kept there that the client needs.
     *
     * @throws ConnectionException if that was done three times in the last minute
     */
    private ServerLink restart(ServerLink ended) throws InterruptedException {
        ServerLink link = open(ended, restarts::take, null);
        opener.end(ended.channel());
        return link;
    }

    /**
     * Opens a link in place of the one given, unless another thread has done so.
     *
     * @param permission is asked for before a link is opened
     * @param why the server forgot the one given; null if it did not
     */
    private ServerLink open(
            @Nullable ServerLink replaced,
            Runnable permission,
            @Nullable SessionExpiredException why)
            throws InterruptedException {
        ServerLink link;
        long seen = attempts;
        opening.lockInterruptibly();
        try {
            ServerLink known = current;
            if (known != null && known != replaced) {
                return known;
            }
            CallException failure = lastFailure;
            if (attempts > seen && failure != null) { // of an attempt since this call came
                throw failure.withCallerStack();
            }
            permission.run();
            link = attempt();
            install(link, replaced);
        } finally {
            opening.unlock();
        }
        client.opened();
        if (replaced != null) {
            if (why != null) {
                LimitedLog.log(
                        LOGGER,
                        Level.INFO,
                        context.peer(),
                        "The server forgot the session, a new one is open");
                retire(replaced);
            }
            restoring(link, why).join(); // others need not wait for it
        }
        return link;
    }

    /** Opens a link, with the lock; a failure also counts for those that wait meanwhile. */
    private ServerLink attempt() throws InterruptedException {
        attempts++;
        lastFailure = null;
        try {
            opener.requireOpen();
            return opener.open();
        } catch (CallException e) {
            lastFailure = e;
            throw e;
        }
    }

    private void install(ServerLink link, @Nullable ServerLink replaced) {
        if (replaced != null) {
            context.tools().forget(); // another process may offer other tools
            context.cache().clear();
        }
        current = link;
        if (replaced != null) {
            replaced.stopListening();
        }
        if (link.hasEnded()) { // before it was the current one
            ended(link.channel(), new ConnectionException("the connection was closed"));
        }
    }

    /** Restores a new link, also where the thread that opened it is interrupted meanwhile. */
    private Thread restoring(ServerLink link, @Nullable SessionExpiredException why) {
        return Thread.ofVirtual()
                .name("mcp-client-restore")
                .start(
                        () -> {
                            try {
                                link.restore();
                                if (why != null) {
                                    client.renewed(why);
                                }
                            } catch (InterruptedException e) { // no other code has this thread
                                Thread.currentThread().interrupt();
                            }
                        });
    }

    /**
     * Opens a link in place of one that the server has forgotten. Other requests by the old one may
     * still find that out for themselves.
     */
    public ServerLink renew(ServerLink expired, SessionExpiredException why)
            throws InterruptedException {
        if (settings.failOnExpiredSession || opener.isClosed()) {
            throw why;
        }
        return open(expired, () -> requireUseful(expired, why), why);
    }

    /** Limits the attempts with a server that loses sessions before they answer anything. */
    private void requireUseful(ServerLink expired, SessionExpiredException why) {
        if (!expired.channel().hasAnswered() && !fruitless.take()) {
            throw why;
        }
    }

    /** Closes a link in whose place another one is, after the time that its requests have. */
    private void retire(ServerLink replaced) {
        timers.schedule(
                settings.requestTimeout,
                () ->
                        Thread.ofVirtual()
                                .name("mcp-close")
                                .start(() -> opener.end(replaced.channel())));
    }

    // ---- the ends of links

    /**
     * Opens a link in place of one that the server has forgotten, although no request found that
     * out: a client that only listens would receive nothing any more. A server that forgets each
     * session at once has the client wait between them.
     */
    @Override
    public void expired(LinkChannel channel, SessionExpiredException why) {
        ServerLink link = current;
        if (settings.failOnExpiredSession
                || opener.isClosed()
                || link == null
                || link.channel() != channel) {
            return; // the next request finds out
        }
        if (unasked.take()) {
            Thread.ofVirtual().name("mcp-client-renew").start(() -> tryRenew(link, why));
        } else {
            timers.schedule(unasked.delay(), () -> expired(channel, why));
        }
    }

    private void tryRenew(ServerLink expired, SessionExpiredException why) {
        try {
            renew(expired, why);
        } catch (CallException e) {
            LimitedLog.log(
                    LOGGER,
                    opener.isClosed() ? Level.DEBUG : Level.WARNING,
                    context.peer(),
                    "The server forgot the session, and there is no new one yet: {0}",
                    Printable.excerpt(e.getMessage()));
            if (settings.member == null && !opener.isClosed()) {
                timers.schedule(UNASKED_INTERVAL, () -> expired(expired.channel(), why));
            }
        } catch (InterruptedException e) { // no other code has this thread
            Thread.currentThread().interrupt();
        }
    }

    /** A link ended: by itself, unless it was replaced or the client is closed. */
    @Override
    public void ended(LinkChannel channel, ConnectionException why) {
        ServerLink link = current;
        if (link == null
                || link.channel() != channel
                || opener.isClosed()
                || reported.getAndSet(channel) == channel) {
            return;
        }
        client.lost(why);
        if (settings.member == null && link.wantsChanges()) {
            keepRestarting(link);
        }
    }

    /** Starts the server again, as often as that takes. Returns at once. */
    private void keepRestarting(ServerLink ended) {
        Thread.ofVirtual()
                .name("mcp-client-reopen")
                .start(
                        () ->
                                LastingLoop.run(
                                        LOGGER,
                                        "",
                                        "The server could not be started again",
                                        () -> tryRestart(ended)));
    }

    /** Returns false: nothing is to be tried again at once, unless it throws something. */
    private boolean tryRestart(ServerLink ended) throws InterruptedException {
        try {
            restart(ended);
        } catch (CallException e) {
            if (opener.isClosed()) {
                return false;
            }
            timers.schedule(RESTART_WAIT, () -> keepRestarting(ended));
            boolean isFirst = reportedRestart.getAndSet(ended) != ended;
            LOGGER.log(
                    isFirst ? Level.WARNING : Level.DEBUG,
                    "The server has ended and sends no changes until it is started again: {0}",
                    Printable.excerpt(e.getMessage()));
        }
        return false;
    }

    @Override
    public void unreachable() {
        client.unreachable();
    }

    /** Ends the current link, whose server does not answer. */
    public void lost(ConnectionException why) {
        ServerLink link = known();
        link.channel().lost(why);
        opener.end(link.channel());
    }

    /** Ends all links. */
    public void close() {
        opener.close();
    }
}
