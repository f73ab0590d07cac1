package dev.fairlead.http;

import dev.fairlead.http.HttpSessionListener.Reason;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.SessionHost;

import org.jspecify.annotations.Nullable;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/** The sessions of an endpoint. A session leaves it exactly once, and then it is shut down. */
final class SessionRegistry {
    private static final System.Logger LOGGER = System.getLogger(SessionRegistry.class.getName());
    private static final String ALPHABET =
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    private final Settings settings;
    private final SessionHost host;
    private final @Nullable EventStore store;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();
    private final Semaphore places;
    private final ConcurrentHashMap<String, HttpSession> sessions = new ConcurrentHashMap<>();

    /** Those that the listener knows of. */
    private final Set<HttpSession> announced = ConcurrentHashMap.newKeySet();

    SessionRegistry(Settings settings, SessionHost host, @Nullable EventStore store, Clock clock) {
        this.settings = settings;
        this.host = host;
        this.store = store;
        this.clock = clock;
        this.places = new Semaphore(settings.maxSessions);
    }

    /**
     * Opens a session, whose id the client does not know yet.
     *
     * @return empty if there are as many as there may be
     * @throws IllegalStateException if the host takes none
     */
    Optional<HttpSession> open(Caller caller) {
        if (!places.tryAcquire()) {
            return Optional.empty();
        }
        String id = randomText(22); // 130 bits (SEC-003, HTTP-033)
        HttpSession session =
                new HttpSession(
                        id, randomText(10), caller, settings, store, clock.instant(), this::close);
        sessions.put(id, session);
        try {
            session.opened(host.open(session));
        } catch (RuntimeException e) {
            close(session, Reason.ENDED);
            throw e;
        }
        return Optional.of(session);
    }

    private String randomText(int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return text.toString();
    }

    /** The client has its session. */
    void announce(HttpSession session) {
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
    Optional<HttpSession> find(String id, Caller caller) {
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

    List<HttpSession> all() {
        return List.copyOf(sessions.values());
    }

    /** Ends a session, unless it has ended. */
    void close(HttpSession session, Reason reason) {
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

    /** Gives up clients that have left a stream and not come back to it in time. */
    void giveUpAbsent() {
        sessions.values().forEach(session -> session.giveUpAbsent(clock.instant()));
    }

    /** Ends the sessions that were not used for too long. */
    void closeIdle() {
        Duration idle = settings.sessionIdleTimeout;
        Instant since = clock.instant().minus(idle);
        for (HttpSession session : sessions.values()) {
            if (session.isIdle(since)) {
                close(session, Reason.IDLE);
            }
        }
    }
}
