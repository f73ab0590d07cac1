package dev.fairlead.http.session;

import dev.fairlead.http.console.HttpSessionStatus;
import dev.fairlead.http.console.HttpStreamStatus;
import dev.fairlead.http.endpoint.OpenExchanges;
import dev.fairlead.http.endpoint.SessionPermits;
import dev.fairlead.http.options.HttpSessionListener.HttpSessionInfo;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.stream.OutgoingEvent;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.MalformedMessageException;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.time.Uninterruptibly;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/** A session that a {@link SessionRegistry} keeps: its identity, and the session of the host. */
public abstract class RegisteredSession implements SessionContext {
    private final String id;
    private final String name;
    private final Caller caller;
    private final Owner owner;

    /** Guards the exchanges of the session, and whether it is about to end. */
    final Object lock = new Object();

    private final Set<OpenExchanges.Open> exchanges = new HashSet<>(2);

    private long dropped; // guarded by lock
    private boolean retired;
    private boolean closed;
    private volatile boolean moving;
    private @Nullable CountDownLatch leaving; // guarded by lock; while it is given away
    private volatile SessionPermits.@Nullable Permit permit;
    private volatile @Nullable Session session;
    private volatile @Nullable Instant opened;
    private volatile @Nullable InetAddress address;

    /**
     * @param id the secret that gives access to it
     * @param name the name of the session in logs
     */
    public RegisteredSession(String id, String name, Caller caller) {
        this.id = id;
        this.name = name;
        this.caller = caller;
        this.owner = Owner.Anonymous.ofSession(id);
    }

    public final String id() {
        return id;
    }

    final String name() {
        return name;
    }

    @Override
    public final Optional<String> logName() {
        return Optional.of(name);
    }

    final HttpSessionInfo info() {
        return new HttpSessionInfo(name, caller);
    }

    @Override
    public final Caller caller() {
        return caller;
    }

    @Override
    public final Owner owner() {
        return owner;
    }

    /** Sets the session of the host; called once. */
    final void opened(Session of, Instant now) {
        session = of;
        opened = now;
    }

    /** Keeps the address of a request for operators. */
    public final void seenFrom(HttpExchange exchange) {
        address = exchange.remoteAddress().orElse(null);
    }

    /** Returns the session as operators see it. */
    final HttpSessionStatus status() {
        Session of = session;
        Instant since = opened;
        Instant start = since == null ? Instant.EPOCH : since;
        return new HttpSessionStatus(
                name,
                transport(),
                of == null ? null : of.client().orElse(null),
                revision().orElse(null),
                caller,
                address,
                start,
                lastUsed().filter(used -> used.isAfter(start)).orElse(start),
                exchangesUnderWay(),
                connectedStreams(),
                waitingMessages(),
                dropped(),
                streamStatuses());
    }

    private int exchangesUnderWay() {
        synchronized (lock) {
            return exchanges.size();
        }
    }

    /** Returns the time of the latest request; empty if it is not kept. */
    public abstract Optional<Instant> lastUsed();

    /** Returns how many streams are connected that carry messages of no request. */
    public abstract int connectedStreams();

    /** Returns these streams as operators see them. */
    public abstract List<HttpStreamStatus> streamStatuses();

    /** Counts messages that the client does not receive. */
    protected final void countDropped(List<OutgoingEvent> events) {
        long messages =
                events.stream().filter(event -> event.kind() == OutgoingEvent.Kind.MESSAGE).count();
        synchronized (lock) {
            dropped += messages;
        }
    }

    private long dropped() {
        synchronized (lock) {
            return dropped;
        }
    }

    /** Returns how many messages wait for such a stream. */
    public abstract int waitingMessages();

    public final Session session() {
        Session opened = session;
        if (opened == null) {
            throw new IllegalStateException("the session is being opened");
        }
        return opened;
    }

    /** The revision that was agreed on; empty before that. */
    public final Optional<Revision> revision() {
        Session opened = session;
        return opened == null ? Optional.empty() : opened.revision();
    }

    /** Fails the question of this side if the client's response to it cannot be read. */
    public final void unanswerable(MalformedMessageException malformed) {
        var cause =
                new ConnectionException(
                        "the answer cannot be read: " + malformed.getMessage(), malformed);
        malformed.answered().ifPresent(question -> session().fail(question, cause));
    }

    /** Closes the session of the host, if it has made one, and then the exchanges under way. */
    public final void closeSession(List<OpenExchanges.Open> underWay) {
        Session opened = session;
        try {
            if (opened != null) {
                opened.close();
            }
        } finally {
            underWay.forEach(OpenExchanges.Open::sessionClosed);
        }
    }

    /** Where it is counted, until it is closed; called once. */
    final void counted(SessionPermits.Permit counted) {
        permit = counted;
    }

    @Override
    public final boolean makeRoom(long bytes) {
        SessionPermits.Permit counted = permit;
        return counted != null && counted.makeRoom(bytes);
    }

    /** The bytes of its client's messages that the session keeps. */
    final long keptBytes() {
        Session opened = session;
        return opened == null ? 0 : opened.keptBytes();
    }

    /** Returns the caller for which it is counted; before that, something of its own. */
    @Override
    public final Object countedFor() {
        SessionPermits.Permit counted = permit;
        return counted == null ? id : counted.caller();
    }

    /** Gives back the place in which it is counted. */
    final void uncount() {
        SessionPermits.Permit counted = permit;
        if (counted != null) {
            counted.release();
        }
    }

    /** Returns the time since which nothing uses the session; empty while it is in use. */
    public Optional<Instant> idleSince() {
        return Optional.empty();
    }

    /** Whether its client has done more than to open it. */
    public boolean wasUsed() {
        return true;
    }

    /**
     * An exchange begins.
     *
     * @return false if the session has just ended, or is about to
     */
    public final boolean begin(OpenExchanges.Open exchange) {
        synchronized (lock) {
            return !closed && !retired && exchanges.add(exchange);
        }
    }

    /** An exchange is answered. */
    public final void end(OpenExchanges.Open exchange) {
        synchronized (lock) {
            exchanges.remove(exchange);
        }
    }

    /** Whether an exchange is not answered yet. */
    public final boolean hasExchanges() {
        synchronized (lock) {
            return !exchanges.isEmpty();
        }
    }

    /** Takes no more exchanges; returns those that are not answered. */
    public final List<OpenExchanges.Open> closeExchanges() {
        synchronized (lock) {
            closed = true;
            return List.copyOf(exchanges);
        }
    }

    final boolean isClosed() {
        synchronized (lock) {
            return closed;
        }
    }

    /** Whether nothing is under way, and has not been since the given time. */
    public abstract boolean isIdle(Instant since);

    /**
     * Begins to end a session that {@linkplain #isIdle is idle}: from now on it takes no requests,
     * so that none is accepted and then dies with it.
     *
     * @return false if it is not idle, and continues
     */
    final boolean retire(Instant since) {
        synchronized (lock) {
            if (retired) {
                return false; // another thread ends it, or gives it away
            }
            retired = isIdle(since);
            return retired;
        }
    }

    /** Another process may continue it. */
    final void moves() {
        moving = true;
    }

    /** Returns whether another process may continue it, now that it ends here. */
    public final boolean isMoving() {
        return moving;
    }

    /** Begins to end a session in which no exchange is under way; false if one is. */
    final boolean retireUnlessBusy() {
        synchronized (lock) {
            retired |= exchanges.isEmpty();
            moving |= retired;
            if (retired && leaving == null) {
                leaving = new CountDownLatch(1);
            }
            return retired;
        }
    }

    /** Waits, while another node is about to get it, until it has left this one or stays. */
    public final void awaitMoved() {
        CountDownLatch moved;
        synchronized (lock) {
            moved = leaving;
        }
        if (moved != null) {
            Uninterruptibly.await(moved::await);
        }
    }

    /** It has left this node, or stays. */
    final void endMove() {
        synchronized (lock) {
            if (leaving != null) {
                leaving.countDown();
            }
        }
    }

    /** Continues a session that could not end. */
    final void reinstate() {
        synchronized (lock) {
            retired = false;
            moving = false;
            endMove();
            leaving = null;
        }
    }

    /** Whether it is about to end: it was idle when that was found out. */
    public final boolean isRetired() {
        synchronized (lock) {
            return retired;
        }
    }

    /**
     * Prevents other processes from continuing it; it is about to end.
     *
     * @return false if another node owns it, so that it may only end here
     */
    public boolean forget() {
        return true;
    }

    /** Gives it to the next node that takes it, after it has ended here. */
    public void give() {}

    /**
     * Ends everything; called once.
     *
     * @param continued whether another process may continue it, so that the stored session is kept
     *     and the client reconnects
     */
    public abstract void shutDown(boolean continued);
}
