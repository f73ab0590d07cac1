package dev.fairlead.http.session;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.SessionStore;
import dev.fairlead.protocol.StoredSession;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A session in its store, which another process can continue. The lock orders the writes to the
 * store, and is held during each.
 */
final class KeptSession {
    private final SessionStore store;
    private final StoredSession session;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean stored;
    private boolean over;
    private boolean forgotten;

    /** The time at which the store was last updated with a use of the session. */
    private volatile Instant touched;

    KeptSession(SessionStore store, StoredSession session, InstantSource clock) {
        this.store = store;
        this.session = session;
        this.clock = clock;
        this.stored = session.restored() > 0;
        this.touched = clock.instant();
    }

    String key() {
        return session.key();
    }

    int epoch() {
        return session.restored();
    }

    /** Stores the changed state, unless the session is over. */
    void save(Supplier<JsonObject> state) {
        lock.lock();
        try {
            if (!over) {
                Instant now = clock.instant();
                StoredSession changed =
                        new StoredSession(
                                session.key(),
                                session.name(),
                                session.caller(),
                                state.get(),
                                session.restored());
                if (stored) {
                    store.save(changed);
                } else {
                    store.open(changed);
                    stored = true;
                }
                touched = now;
            }
        } finally {
            lock.unlock();
        }
    }

    /** The session is over in this process: it stays as it is now. */
    void release() {
        lock.lock();
        try {
            over = true;
        } finally {
            lock.unlock();
        }
    }

    /** The session is over in this process, and the next node that it reaches continues it. */
    void give() {
        store.give(session.key(), session.restored());
    }

    /**
     * The session is over, and no process can continue it. May be called again after a failure.
     *
     * @return false if another node owns it, and continues it
     */
    boolean forget() {
        lock.lock();
        try {
            over = true;
            forgotten |= store.remove(session.key(), session.restored());
            return forgotten;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether no other node has taken the session over, by a look into the store. */
    boolean isOwned() {
        return !stored
                || store.find(session.key())
                        .filter(found -> found.session().restored() == session.restored())
                        .isPresent();
    }

    Instant touched() {
        return touched;
    }

    void touched(Instant now) {
        touched = now;
    }
}
