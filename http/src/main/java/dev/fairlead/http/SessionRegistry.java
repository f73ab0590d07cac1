package dev.fairlead.http;

import dev.fairlead.http.HttpSessionListener.Reason;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionHost;

import org.jspecify.annotations.Nullable;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The sessions of an endpoint. A session leaves it exactly once, and then it is shut down.
 *
 * @param <S> what the endpoint knows of a session
 */
final class SessionRegistry<S extends RegisteredSession> {
    private static final System.Logger LOGGER = System.getLogger(SessionRegistry.class.getName());
    private static final String ALPHABET =
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    /** 130 bits (SEC-003, HTTP-033). */
    private static final int ID_LENGTH = 22;

    /** Makes what is to become a session. */
    @FunctionalInterface
    interface Maker<S> {
        /**
         * @param id what gives access to the session
         * @param name what it is called in logs
         * @param onEnd what the session calls to be closed
         */
        S make(String id, String name, Caller caller, BiConsumer<S, Reason> onEnd);
    }

    private final Settings settings;
    private final SessionHost host;
    private final Clock clock;
    private final Counters counters;
    private final Rates rates;
    private final Maker<S> maker;
    private final SecureRandom random = new SecureRandom();
    private final Semaphore places;
    private final ConcurrentHashMap<String, S> sessions = new ConcurrentHashMap<>();

    /** Those that the listener knows of. */
    private final Set<S> announced = ConcurrentHashMap.newKeySet();

    private volatile @Nullable Elsewhere<S> elsewhere;
    private volatile boolean closed;

    SessionRegistry(Premises premises, Maker<S> maker) {
        this.settings = premises.settings();
        this.host = premises.host();
        this.clock = premises.clock();
        this.counters = premises.counters();
        this.rates = premises.rates();
        this.places = premises.places();
        this.maker = maker;
    }

    /**
     * Opens a session, whose id the client does not know yet.
     *
     * @return empty if there are as many as there may be
     * @throws IllegalStateException if the host takes none, or the endpoint is closed
     */
    Optional<S> open(Caller caller) {
        if (!places.tryAcquire()) {
            return Optional.empty();
        }
        String id = randomText(ID_LENGTH);
        S session = maker.make(id, randomText(10), caller, this::close);
        sessions.put(id, session);
        try {
            session.opened(host.open(session));
            if (closed) {
                throw new IllegalStateException("the endpoint is closed");
            }
        } catch (RuntimeException e) {
            close(session, Reason.ENDED);
            throw e;
        }
        return Optional.of(session);
    }

    /**
     * The same, for an answer to a client.
     *
     * @param onRefused is told why there is none
     */
    Optional<S> open(Caller caller, Consumer<String> onRefused) {
        try {
            Optional<S> opened = open(caller);
            if (opened.isEmpty()) {
                onRefused.accept(
                        "There are as many sessions as there may be, which is "
                                + settings.maxSessions);
            }
            return opened;
        } catch (IllegalStateException e) {
            onRefused.accept("The server takes no sessions now");
            return Optional.empty();
        }
    }

    private String randomText(int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return text.toString();
    }

    /** The client has its session. */
    void announce(S session) {
        announced.add(session);
        counters.sessionOpened();
        tell(listener -> listener.opened(session.info()));
        if (!sessions.containsKey(session.id()) && announced.remove(session)) {
            tell(listener -> listener.closed(session.info(), Reason.ENDED));
        }
    }

    private void tell(Consumer<HttpSessionListener> event) {
        try {
            event.accept(settings.sessionListener);
        } catch (RuntimeException e) {
            LOGGER.log(System.Logger.Level.WARNING, "A session listener failed", e);
        }
    }

    /** Who finds sessions that are not known here, by ids of their form. */
    @FunctionalInterface
    interface Elsewhere<S> {
        Optional<S> find(String id, Caller caller);
    }

    /** Looks there too from now on. */
    void lookInto(Elsewhere<S> place) {
        elsewhere = place;
    }

    /**
     * The session of this id, unless it is somebody else's (SEC-005). What is unknown, foreign or
     * over is all the same.
     *
     * @throws TooManyException if the client has asked elsewhere for too many that there are not
     */
    Optional<S> find(String id, HttpExchange exchange, Caller caller) {
        Optional<S> known = known(id);
        Optional<S> own = known.filter(session -> session.caller().isSame(caller));
        if (own.isPresent()) {
            return own;
        }
        Elsewhere<S> other = elsewhere;
        if (other == null || !isId(id)) {
            return own;
        }
        rates.mayGuess(exchange); // also for what is foreign, so that nobody can tell
        Optional<S> found = known.isPresent() ? own : other.find(id, caller);
        if (found.isEmpty()) {
            rates.guessed(exchange);
        }
        return found;
    }

    /** The session of this id, as far as it is known here. */
    Optional<S> known(String id) {
        return Optional.ofNullable(sessions.get(id));
    }

    /** Whether a text has the form of the ids that are given here. */
    private static boolean isId(String text) {
        return text.length() == ID_LENGTH && text.chars().allMatch(c -> ALPHABET.indexOf(c) >= 0);
    }

    /**
     * Takes in a session that began in another process.
     *
     * @param goesOn has the host go on with it
     * @return empty if the host cannot
     * @throws UnavailableException if there are as many as there may be
     */
    Optional<S> restore(S session, Function<S, Optional<Session>> goesOn) {
        if (!places.tryAcquire()) {
            throw new UnavailableException(
                    "There are as many sessions as there may be, which is " + settings.maxSessions);
        }
        Optional<Session> opened = Optional.empty();
        try {
            opened = goesOn.apply(session);
        } catch (IllegalStateException e) {
            throw new UnavailableException("The server takes no sessions now");
        } finally {
            if (opened.isEmpty()) {
                places.release();
            }
        }
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        session.opened(opened.get());
        sessions.put(session.id(), session);
        announce(session);
        if (closed) {
            close(session, Reason.CLOSED);
            throw new UnavailableException("The server is being closed");
        }
        return Optional.of(session);
    }

    int size() {
        return sessions.size();
    }

    /** Ends a session, unless it has ended. */
    void close(S session, Reason reason) {
        if (!sessions.remove(session.id(), session)) {
            return;
        }
        places.release();
        try {
            session.shutDown(reason == Reason.CLOSED);
        } finally {
            if (announced.remove(session)) {
                tell(listener -> listener.closed(session.info(), reason));
            }
        }
    }

    /**
     * Ends a session for good, unless it has ended.
     *
     * @throws dev.fairlead.protocol.EventStoreException if another process could still go on with
     *     it; the session is as it was then
     */
    void end(S session, Reason reason) {
        session.forget();
        close(session, reason);
    }

    /** Takes no more sessions, and ends all there are. */
    void closeAll() {
        closed = true;
        for (S session : sessions.values()) {
            try {
                close(session, Reason.CLOSED);
            } catch (RuntimeException e) { // the others are to end as well
                LOGGER.log(System.Logger.Level.ERROR, "A session did not end well", e);
            }
        }
    }

    List<S> all() {
        return List.copyOf(sessions.values());
    }

    /** Ends the sessions that were not used for too long. */
    void endIdle() {
        all().forEach(this::endIfIdle);
    }

    /** Ends a session that was not used for too long; fails as {@link #end} does. */
    void endIfIdle(S session) {
        if (!session.retire(clock.instant().minus(settings.sessionIdleTimeout))) {
            return;
        }
        try {
            end(session, Reason.IDLE);
        } catch (RuntimeException e) {
            session.reinstate();
            throw e;
        }
    }
}
