package dev.fairlead.peer;

import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.SessionInfo;
import dev.fairlead.protocol.Side;
import dev.fairlead.protocol.engine.Connection;
import dev.fairlead.protocol.engine.OutgoingRequest;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.time.Durations;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/**
 * One session with the peer, on either side. Its phase and the values of that phase are one atomic
 * state, which only moves forward: {@link Phase}. Thread-safe.
 *
 * @param <N> the result of the negotiation
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle Lifecycle
 */
public final class PeerSession<N extends PeerSession.Negotiated> {
    private static final System.Logger LOGGER = System.getLogger(PeerSession.class.getName());

    /** The phases of a session, in their order. */
    public enum Phase {
        /** Nothing is negotiated. */
        NEW,
        /** A revision is negotiated, but the client has not sent its {@code initialized}. */
        INITIALIZING,
        /** The handshake is complete. */
        READY,
        /** The session has ended, by either side. */
        CLOSED
    }

    /** The result of {@code initialize}. */
    public interface Negotiated {
        WireFace face();
    }

    /**
     * @param negotiated null before that
     * @param readySince when the handshake was completed, also after the end; null before that
     * @param onClose the actions at the end, the last first; null for none
     */
    private record State<N>(
            Phase phase,
            @Nullable N negotiated,
            @Nullable Instant readySince,
            @Nullable Action onClose) {}

    private record Action(Runnable run, @Nullable Action before) {}

    private final Side side;
    private final SessionContext context;
    private final Connection connection;
    private final Collection<Interceptor> interceptors;
    private final Timers timers;
    private final AtomicReference<State<N>> state =
            new AtomicReference<>(new State<>(Phase.NEW, null, null, null));
    private final CompletableFuture<@Nullable Void> ready = new CompletableFuture<>();

    /**
     * Creates a session in the phase NEW.
     *
     * @param side which side this is
     * @param interceptors are notified of the end, each once
     */
    public PeerSession(
            Side side,
            SessionContext context,
            Connection connection,
            Collection<Interceptor> interceptors,
            Timers timers) {
        this.side = side;
        this.context = context;
        this.connection = connection;
        this.interceptors = interceptors;
        this.timers = timers;
    }

    /** Returns the connection that carries the session. */
    public Connection connection() {
        return connection;
    }

    // ---- the handshake

    /** Records the result of the negotiation; returns false if there is one. */
    public boolean negotiate(N negotiated) {
        return change(
                was ->
                        was.negotiated() != null
                                ? was
                                : new State<>(
                                        later(was.phase(), Phase.INITIALIZING),
                                        negotiated,
                                        null,
                                        was.onClose()));
    }

    /** Completes the handshake; returns false unless the session is INITIALIZING. */
    public boolean ready() {
        Instant now = timers.clock().instant();
        boolean first =
                change(
                        was ->
                                was.phase() != Phase.INITIALIZING
                                        ? was
                                        : new State<>(
                                                Phase.READY, was.negotiated(), now, was.onClose()));
        if (first) {
            ready.complete(null);
        }
        return first;
    }

    /** Applies a change atomically; returns false if it leaves the state as it was. */
    private boolean change(UnaryOperator<State<N>> change) {
        while (true) {
            State<N> was = state.get();
            State<N> changed = change.apply(was);
            if (changed == was) {
                return false;
            }
            if (state.compareAndSet(was, changed)) {
                return true;
            }
        }
    }

    private static Phase later(Phase one, Phase other) {
        return one.compareTo(other) < 0 ? other : one;
    }

    /** Returns the result of the negotiation, also after the end; empty before the handshake. */
    public Optional<N> negotiated() {
        return Optional.ofNullable(state.get().negotiated());
    }

    /** Returns the revision that was negotiated; empty before the handshake. */
    public Optional<Revision> revision() {
        return negotiated().map(negotiated -> negotiated.face().revision());
    }

    /** Returns the session as interceptors see it; empty before the handshake. */
    public Optional<SessionInfo> info() {
        return negotiated().map(this::info);
    }

    private SessionInfo info(N negotiated) {
        return new SessionInfo(
                side,
                context.transport(),
                context.logName().orElse(null),
                negotiated.face().revision());
    }

    /** Returns whether the handshake was completed, also after the end. */
    public boolean isReady() {
        return state.get().readySince() != null;
    }

    /**
     * Waits until the handshake is complete: a server may send no request before, and requests of
     * the client can overtake its {@code initialized}.
     *
     * @throws RequestTimeoutException if that takes longer
     */
    public void awaitReady(Duration timeout) throws InterruptedException {
        if (ready.isDone()) {
            return;
        }
        CountDownLatch done = new CountDownLatch(1);
        Timers.Timer timer = timers.schedule(timeout, done::countDown);
        try {
            ready.thenRun(done::countDown);
            done.await();
        } finally {
            timer.cancel();
        }
        if (!ready.isDone()) {
            throw new RequestTimeoutException(
                    "the client did not send notifications/initialized within "
                            + Durations.text(timeout));
        }
    }

    /** Sends {@code ping} and waits for the answer. */
    public void ping(Duration timeout) throws InterruptedException {
        connection.request(
                new OutgoingRequest(
                        Methods.PING.name(), token -> null, timeout, timeout, null, null));
    }

    // ---- the end

    /** Returns whether the session has ended, by either side. */
    public boolean isClosed() {
        return state.get().phase() == Phase.CLOSED;
    }

    /**
     * Runs an action when the session ends, on the thread that ends it; at once if it has ended.
     */
    public void onClose(Runnable action) {
        boolean open =
                change(
                        was ->
                                was.phase() == Phase.CLOSED
                                        ? was
                                        : new State<>(
                                                was.phase(),
                                                was.negotiated(),
                                                was.readySince(),
                                                new Action(action, was.onClose())));
        if (!open) {
            run(action);
        }
    }

    /**
     * Ends the session: interrupts the handlers of the peer's requests, fails the requests that
     * wait, runs the actions in the order in which they were added, and notifies the interceptors.
     *
     * @param cause with which the requests fail; null if this side ends the session
     * @return false if the session has ended before
     */
    public boolean close(@Nullable ConnectionException cause) {
        State<N> last =
                state.getAndUpdate(
                        was -> new State<>(Phase.CLOSED, was.negotiated(), was.readySince(), null));
        if (cause == null) {
            connection.close();
        } else {
            connection.lost(cause);
        }
        if (last.phase() == Phase.CLOSED) {
            return false;
        }
        List<Runnable> actions = new ArrayList<>();
        for (Action action = last.onClose(); action != null; action = action.before()) {
            actions.addFirst(action.run());
        }
        actions.forEach(PeerSession::run);
        if (last.readySince() != null && last.negotiated() != null) {
            notifyInterceptors(info(last.negotiated()), last.readySince());
        }
        return true;
    }

    private static void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            LimitedLog.failed(
                    LOGGER, Level.ERROR, "", e, "An action at the end of a session failed");
        }
    }

    private void notifyInterceptors(SessionInfo session, Instant since) {
        Duration lasted = Duration.between(since, timers.clock().instant());
        if (lasted.isNegative()) { // the clock was set
            lasted = Duration.ZERO;
        }
        for (Interceptor interceptor : interceptors) {
            try {
                interceptor.sessionEnded(session, lasted);
            } catch (RuntimeException | LinkageError e) { // the others are notified all the same
                LimitedLog.failed(
                        LOGGER,
                        Level.ERROR,
                        "",
                        e,
                        "An interceptor failed at the end of a session");
            }
        }
    }
}
