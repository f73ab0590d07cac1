package dev.fairlead.http.session;

import dev.fairlead.http.console.HttpSessionStatus;
import dev.fairlead.http.endpoint.Counters;
import dev.fairlead.http.endpoint.EndpointContext;
import dev.fairlead.http.endpoint.HttpRefusal;
import dev.fairlead.http.endpoint.HttpRefusalException;
import dev.fairlead.http.endpoint.OpenExchanges;
import dev.fairlead.http.endpoint.Rates;
import dev.fairlead.http.endpoint.RequestSource;
import dev.fairlead.http.endpoint.SessionPermits;
import dev.fairlead.http.endpoint.Settings;
import dev.fairlead.http.options.HttpSessionListener;
import dev.fairlead.http.options.HttpSessionListener.Reason;
import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.EventStoreException;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The sessions of an endpoint. A session leaves it exactly once, and then it is shut down.
 *
 * @param <S> the sessions of the endpoint
 */
public final class SessionRegistry<S extends RegisteredSession> {
    private static final System.Logger LOGGER = System.getLogger(SessionRegistry.class.getName());
    private static final String ALPHABET =
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    /** 130 bits. */
    private static final int ID_LENGTH = 22;

    /** How long a request waits behind others whose callers have guessed too often. */
    static final Duration GUESSER_WAIT = Duration.ofSeconds(5);

    /** Makes a session. */
    @FunctionalInterface
    public interface Maker<S> {
        /**
         * @param id the secret that gives access to the session
         * @param name the name of the session in logs
         * @param onEnd called by the session in order to be closed
         */
        S make(String id, String name, Caller caller, BiConsumer<S, Reason> onEnd);
    }

    private final Settings settings;
    private final SessionHost host;
    private final InstantSource clock;
    private final Counters counters;
    private final Rates rates;
    private final Maker<S> maker;
    private final SecureRandom random = new SecureRandom();
    private final SessionPermits permits;

    /** Held while the store is searched for a caller that has guessed too often. */
    private final Semaphore guessers = new Semaphore(1, true);

    private final ConcurrentHashMap<String, S> sessions = new ConcurrentHashMap<>();

    /** Sessions whose opening the listener has received. */
    private final Set<S> announced = ConcurrentHashMap.newKeySet();

    private volatile @Nullable Elsewhere<S> elsewhere;
    private volatile boolean handsOver;
    private volatile boolean closed;

    public SessionRegistry(EndpointContext context, Maker<S> maker) {
        this.settings = context.settings();
        this.host = context.host();
        this.clock = context.clock();
        this.counters = context.counters();
        this.rates = context.rates();
        this.permits = context.sessions();
        this.maker = maker;
        permits.add(this::held);
    }

    /**
     * Opens a session, whose id the client does not have yet.
     *
     * @param source where it is counted
     * @throws HttpRefusalException if there are as many as there may be, or the host takes none
     */
    public S open(RequestSource source, Caller caller) {
        SessionPermits.Permit permit = permits.take(source);
        String id = randomText(ID_LENGTH);
        S session = maker.make(id, randomText(10), caller, this::close);
        session.counted(permit);
        sessions.put(id, session);
        boolean opened = false;
        try {
            session.opened(host.open(session), clock.instant());
            opened = !closed;
        } catch (IllegalStateException e) {
            throw refusedByHost();
        } finally {
            if (!opened) {
                close(session, Reason.ENDED);
            }
        }
        if (!opened) {
            throw refusedByHost();
        }
        return session;
    }

    private HttpRefusalException refusedByHost() {
        return new HttpRefusalException(
                closed
                        ? OpenExchanges.CLOSED
                        : new HttpRefusal(
                                        RefusalReason.SERVER_SESSION_LIMIT,
                                        "The server takes no sessions now")
                                .withRetryAfter(HttpRefusal.SOON));
    }

    private String randomText(int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return text.toString();
    }

    /** The client has its session. */
    public void announce(S session) {
        announced.add(session);
        counters.sessionOpened();
        report(listener -> listener.opened(session.info()));
        if (!sessions.containsKey(session.id()) && announced.remove(session)) {
            report(listener -> listener.closed(session.info(), Reason.ENDED));
        }
    }

    private void report(Consumer<HttpSessionListener> event) {
        try {
            event.accept(settings.sessionListener);
        } catch (RuntimeException e) {
            LimitedLog.failed(
                    LOGGER, System.Logger.Level.WARNING, "", e, "A session listener failed");
        }
    }

    /** Finds sessions that are not in this registry, by ids of their form. */
    @FunctionalInterface
    public interface Elsewhere<S> {
        Optional<S> find(String id, RequestSource source, Caller caller);
    }

    /** Looks there too from now on. */
    public void lookInto(Elsewhere<S> permit) {
        elsewhere = permit;
    }

    /**
     * The session of this id, if it belongs to the caller; unknown, foreign and ended sessions look
     * the same.
     *
     * @throws HttpRefusalException if the client has asked elsewhere for too many that there are
     *     not
     */
    public Optional<S> find(String id, HttpExchange exchange, Caller caller) {
        Optional<S> known = known(id);
        Optional<S> own = known.filter(session -> session.caller().isSame(caller));
        if (own.isPresent()) {
            if (settings.console != null) {
                own.get().seenFrom(exchange);
            }
            return own;
        }
        Elsewhere<S> other = elsewhere;
        if (other == null || !isId(id)) {
            return own;
        }
        RequestSource source = RequestSource.of(exchange, caller);
        Optional<S> found = known.isPresent() ? own : find(other, id, source, caller);
        if (found.isEmpty()) { // also the id of a foreign session, so that it looks the same
            rates.guessed(source);
        }
        return found;
    }

    /**
     * Finds a session like {@link #find}, for a request that needs one.
     *
     * @throws HttpRefusalException also if there is none
     */
    public S require(String id, HttpExchange exchange, Caller caller) {
        return find(id, exchange, caller).orElseThrow(SessionRegistry::unknown);
    }

    /** Refuses a request that its session takes no more: another process may take it. */
    public static HttpRefusalException ended(RegisteredSession session) {
        return session.isMoving() ? new HttpRefusalException(OpenExchanges.CLOSED) : unknown();
    }

    /** Refuses a request in a session that is unknown, over, or of another caller. */
    public static HttpRefusalException unknown() {
        return new HttpRefusalException(RefusalReason.SESSION_UNKNOWN, "There is no such session");
    }

    /**
     * Looks into the store. A session in the store is found also if others of the same address have
     * guessed ids, but all callers that have guessed too often look one after another, so that they
     * do not occupy the store.
     */
    private Optional<S> find(Elsewhere<S> other, String id, RequestSource source, Caller caller) {
        if (!rates.hasGuessedTooOften(source)) {
            return other.find(id, source, caller);
        }
        try {
            if (!guessers.tryAcquire(GUESSER_WAIT.toNanos(), TimeUnit.NANOSECONDS)) {
                rates.guessed(source);
                throw Rates.unknownSessions(HttpRefusal.SOON);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HttpRefusalException(OpenExchanges.CLOSED);
        }
        try {
            return other.find(id, source, caller);
        } finally {
            guessers.release();
        }
    }

    /** The session of this id, if it is in this registry. */
    public Optional<S> known(String id) {
        return Optional.ofNullable(sessions.get(id));
    }

    /** Whether a text has the form of the ids that are given here. */
    private static boolean isId(String text) {
        return text.length() == ID_LENGTH && text.chars().allMatch(c -> ALPHABET.indexOf(c) >= 0);
    }

    /**
     * Takes in a session that began in another process.
     *
     * @param source where it is counted
     * @param continuing continues it in the host
     * @return empty if the host cannot
     * @throws HttpRefusalException if there are as many as there may be
     */
    Optional<S> restore(
            S session, RequestSource source, Function<S, Optional<Session>> continuing) {
        session.counted(permits.take(source));
        Optional<Session> opened = Optional.empty();
        try {
            opened = continuing.apply(session);
        } catch (IllegalStateException e) {
            throw refusedByHost();
        } finally {
            if (opened.isEmpty()) {
                session.uncount();
            }
        }
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        session.opened(opened.get(), clock.instant());
        sessions.put(session.id(), session);
        announce(session);
        if (closed) {
            close(session, Reason.CLOSED);
            throw new HttpRefusalException(OpenExchanges.CLOSED);
        }
        return Optional.of(session);
    }

    /** Returns the sessions whose opening clients have received, for operators. */
    public Stream<HttpSessionStatus> statuses() {
        return announced.stream().map(RegisteredSession::status);
    }

    /** Ends a session for good; false if there is none of this name. */
    public boolean endNamed(String name) {
        return all().stream()
                .filter(session -> session.name().equals(name))
                .findAny()
                .map(session -> end(session, Reason.ENDED))
                .orElse(false);
    }

    public int size() {
        return sessions.size();
    }

    /** Ends a session, unless it has ended. */
    public void close(S session, Reason reason) {
        if (!sessions.remove(session.id(), session)) {
            return;
        }
        session.endMove();
        session.uncount();
        try {
            session.shutDown(reason == Reason.CLOSED || reason == Reason.MOVED);
        } finally {
            if (announced.remove(session)) {
                report(listener -> listener.closed(session.info(), reason));
            }
        }
    }

    /**
     * Ends a session for good, unless it has ended.
     *
     * @return false if another node owns it, so that it has only ended here
     * @throws EventStoreException if another process could still continue it; the session is as it
     *     was then
     */
    public boolean end(S session, Reason reason) {
        boolean own = session.forget();
        close(session, own ? reason : Reason.MOVED);
        return own;
    }

    /** Takes no more sessions, and ends all there are, at the same time. */
    public void closeAll() {
        closed = true;
        closeAll(Reason.CLOSED);
    }

    /**
     * Gives sessions in which nothing is under way to the nodes that their clients reach next, and
     * the others {@linkplain #answered as soon as that is so}.
     */
    public void handOver() {
        handsOver = true;
        Together.forEach(
                all().stream().filter(RegisteredSession::retireUnlessBusy).toList(),
                session -> {
                    try {
                        session.give();
                    } finally {
                        close(session, Reason.MOVED);
                    }
                });
    }

    /**
     * Gives a session in which nothing is under way to the node that its client reaches next.
     *
     * @return false if it stays, since a request is under way or the store failed
     */
    public boolean giveUnlessBusy(S session) {
        if (!session.retireUnlessBusy()) {
            return false;
        }
        boolean given = false;
        try {
            session.give();
            given = true;
        } catch (EventStoreException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "A session could not be handed over", e);
        } finally {
            if (!given) {
                session.reinstate();
            }
        }
        if (given) {
            close(session, Reason.MOVED);
        }
        return given;
    }

    /**
     * An exchange of a session is answered: once sessions are handed over, the session is too, on a
     * thread of its own, since the handler may be about to end on this one.
     */
    public void answered(S session) {
        if (handsOver && !session.hasExchanges()) {
            Thread.ofVirtual().name("mcp-http-hand-over").start(() -> giveUnlessBusy(session));
        }
    }

    /** Ends all sessions, which may have other owners now, on a thread of its own. */
    public void fenced() {
        Thread.ofVirtual().name("mcp-http-fenced").start(() -> closeAll(Reason.MOVED));
    }

    private void closeAll(Reason reason) {
        Together.forEach(all(), session -> close(session, reason));
    }

    List<S> all() {
        return List.copyOf(sessions.values());
    }

    private Stream<SessionPermits.Held> held() {
        return sessions.values().stream().map(Place::new);
    }

    /** The place of a session. */
    private final class Place implements SessionPermits.Held {
        private final S session;

        Place(S session) {
            this.session = session;
        }

        @Override
        public Object countedFor() {
            return session.countedFor();
        }

        @Override
        public long keptBytes() {
            return session.keptBytes();
        }

        @Override
        public Optional<SessionPermits.Idle> idle() {
            return session.idleSince()
                    .map(
                            since ->
                                    new SessionPermits.Idle(
                                            session.wasUsed(), since, () -> evict(session)));
        }
    }

    /** Ends a session whose place is needed; false if it is in use, or its store fails. */
    private boolean evict(S session) {
        try {
            return endUnused(session, Instant.MAX, Reason.EVICTED);
        } catch (EventStoreException e) {
            LimitedLog.failed(
                    LOGGER, System.Logger.Level.WARNING, "", e, "An idle session could not end");
            return false;
        }
    }

    /** Ends the sessions that were not used for too long. */
    public void endIdle() {
        all().forEach(this::endIfIdle);
    }

    /** Ends a session that was not used for too long; fails as {@link #end} does. */
    void endIfIdle(S session) {
        endUnused(session, clock.instant().minus(settings.sessionIdleTimeout), Reason.IDLE);
    }

    /**
     * Ends a session that was not used since some time.
     *
     * @return false if it was used
     */
    private boolean endUnused(S session, Instant since, Reason reason) {
        if (!session.retire(since)) {
            return false;
        }
        try {
            end(session, reason);
        } catch (RuntimeException e) {
            session.reinstate();
            throw e;
        }
        return true;
    }
}
