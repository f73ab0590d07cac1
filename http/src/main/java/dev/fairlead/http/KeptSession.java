package dev.fairlead.http;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.SessionStore;
import dev.fairlead.protocol.StoredSession;

import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A session as its store has it, so that another process can go on with it. The lock orders what is
 * stored, and is held while it is.
 */
final class KeptSession {
    private final SessionStore store;
    private final StoredSession session;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean over;

    /** When the store was told last that the session is used. */
    private volatile Instant touched;

    KeptSession(SessionStore store, StoredSession session, Instant now) {
        this.store = store;
        this.session = session;
        this.touched = now;
    }

    String key() {
        return session.key();
    }

    /** Stores what has changed, unless the session is over. */
    void save(Supplier<JsonObject> state) {
        lock.lock();
        try {
            if (!over) {
                store.save(
                        new StoredSession(
                                session.key(),
                                session.name(),
                                session.caller(),
                                state.get(),
                                session.restored()));
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

    /** The session is over: nobody can go on with it. May be called again after a failure. */
    void forget() {
        lock.lock();
        try {
            over = true;
            store.remove(session.key());
        } finally {
            lock.unlock();
        }
    }

    Instant touched() {
        return touched;
    }

    void touched(Instant now) {
        touched = now;
    }
}
