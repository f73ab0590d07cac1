package dev.fairlead.http.session;

import dev.fairlead.http.endpoint.RequestSource;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.SessionStore;
import dev.fairlead.protocol.StoredSession;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Continues sessions that another process has left, when their clients send a request. The locks
 * ensure that each session is restored once, and bound how many threads search the store at a time,
 * also for guessed ids.
 */
public final class Restoration {
    private static final int AT_ONCE = 8;

    /** How often a session is taken that another node takes at the same time. */
    private static final int TRIES = 3;

    private final SessionStore store;
    private final SessionRegistry<HttpSession> sessions;
    private final SessionHost host;
    private final Duration idle;
    private final Function<SessionStore.Found, Optional<SessionStore.Owner>> owners;
    private final BiFunction<String, StoredSession, HttpSession> maker;
    private final ReentrantLock[] locks =
            IntStream.range(0, AT_ONCE)
                    .mapToObj(i -> new ReentrantLock())
                    .toArray(ReentrantLock[]::new);

    /**
     * @param idle how long a session may have been unused
     * @param owners gives the node to which requests in a session are forwarded; empty for this one
     * @param maker makes a session from its id and its stored state
     */
    public Restoration(
            SessionStore store,
            SessionRegistry<HttpSession> sessions,
            SessionHost host,
            Duration idle,
            Function<SessionStore.Found, Optional<SessionStore.Owner>> owners,
            BiFunction<String, StoredSession, HttpSession> maker) {
        this.store = store;
        this.sessions = sessions;
        this.host = host;
        this.idle = idle;
        this.owners = owners;
        this.maker = maker;
    }

    /** Returns the key of a session in the store, which does not reveal its id. */
    static String key(String id) {
        return Owner.Anonymous.ofSession(id).session();
    }

    /**
     * The session of this id, if it is kept and the caller's.
     *
     * @param source where it is counted
     * @throws OwnedElsewhereException if another node serves it
     * @throws dev.fairlead.http.endpoint.HttpRefusalException if there is no place for it
     * @throws dev.fairlead.protocol.EventStoreException if the store does not answer
     */
    public Optional<HttpSession> find(String id, RequestSource source, Caller caller) {
        ReentrantLock lock = locks[Math.floorMod(id.hashCode(), AT_ONCE)];
        lock.lock();
        try {
            Optional<HttpSession> restored = sessions.known(id); // while this waited
            return restored.isPresent()
                    ? restored.filter(session -> session.caller().isSame(caller))
                    : restore(id, source, caller);
        } finally {
            lock.unlock();
        }
    }

    private Optional<HttpSession> restore(String id, RequestSource source, Caller caller) {
        String key = key(id);
        Optional<StoredSession> found = mine(key, caller);
        for (int tries = 0; tries < TRIES && found.isPresent(); tries++) {
            int restored = found.get().restored();
            Optional<StoredSession> taken = store.take(key, restored, idle);
            if (taken.isPresent()) {
                return continued(id, taken.get(), source);
            }
            found = mine(key, caller).filter(next -> next.restored() != restored);
        }
        return Optional.empty();
    }

    /** The stored session, unless another node serves it, to which requests are forwarded. */
    private Optional<StoredSession> mine(String key, Caller caller) {
        Optional<SessionStore.Found> found =
                store.find(key).filter(kept -> kept.session().caller().isSame(caller));
        found.ifPresent(this::checkOwner);
        return found.map(SessionStore.Found::session);
    }

    private void checkOwner(SessionStore.Found found) {
        Optional<SessionStore.Owner> owner = owners.apply(found);
        if (owner.isPresent()) {
            boolean free = found.owner() == null;
            int epoch = found.session().restored();
            throw new OwnedElsewhereException(owner.get(), epoch, free);
        }
    }

    private Optional<HttpSession> continued(String id, StoredSession kept, RequestSource source) {
        return sessions.restore(
                maker.apply(id, kept),
                source,
                session -> host.restore(session, kept.state(), kept.restored()));
    }
}
