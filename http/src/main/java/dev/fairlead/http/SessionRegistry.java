package dev.fairlead.http;

import dev.fairlead.http.HttpSessionListener.Reason;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.SessionHost;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The sessions of an endpoint. A session leaves it exactly once, and then it is shut down.
 *
 * @param <S> what the endpoint knows of a session
 */
final class SessionRegistry<S extends RegisteredSession> {
    private static final System.Logger LOGGER = System.getLogger(SessionRegistry.class.getName());
    private static final String ALPHABET =
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

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
    private final Maker<S> maker;
    private final SecureRandom random = new SecureRandom();
    private final Semaphore places;
    private final ConcurrentHashMap<String, S> sessions = new ConcurrentHashMap<>();

    /** Those that the listener knows of. */
    private final Set<S> announced = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    SessionRegistry(Premises premises, Maker<S> maker) {
        this.settings = premises.settings();
        this.host = premises.host();
        this.clock = premises.clock();
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
        String id = randomText(22); // 130 bits (SEC-003, HTTP-033)
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

    /** The session of this id, unless it is somebody else's (SEC-005). */
    Optional<S> find(String id, Caller caller) {
        return Optional.ofNullable(sessions.get(id))
                .filter(session -> isSame(session.caller(), caller));
    }

    /** A new token of the same person may have other scopes. */
    private static boolean isSame(Caller owner, Caller caller) {
        if (owner.isAnonymous() || caller.isAnonymous()) {
            return owner.isAnonymous() && caller.isAnonymous();
        }
        return owner.issuer().equals(caller.issuer())
                && owner.subject().equals(caller.subject())
                && Objects.equals(owner.client(), caller.client());
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
            session.shutDown();
        } finally {
            if (announced.remove(session)) {
                tell(listener -> listener.closed(session.info(), reason));
            }
        }
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

    void forEach(Consumer<S> action) {
        sessions.values().forEach(action);
    }

    /** Ends the sessions that were not used for too long. */
    void closeIdle() {
        Duration idle = settings.sessionIdleTimeout;
        Instant since = clock.instant().minus(idle);
        for (S session : sessions.values()) {
            if (session.isIdle(since)) {
                close(session, Reason.IDLE);
            }
        }
    }
}
