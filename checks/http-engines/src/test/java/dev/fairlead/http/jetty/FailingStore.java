package dev.fairlead.http.jetty;

import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.EventStoreException;
import dev.fairlead.protocol.SessionStore;

import java.util.List;
import java.util.Optional;

/**
 * A store whose disk can be full for a while: nothing can be added then. It may have a bug, too.
 */
final class FailingStore implements EventStore {
    private final EventStore store;
    volatile boolean full;
    volatile boolean broken;

    FailingStore(EventStore store) {
        this.store = store;
    }

    private void check() {
        if (full) {
            throw new EventStoreException("the disk is full", null);
        }
    }

    @Override
    public EventId append(Stream stream, byte[] data) {
        check();
        if (broken) {
            throw new IllegalStateException("a bug of the store");
        }
        return store.append(stream, data);
    }

    @Override
    public Optional<List<Event>> after(EventId last, int limit) {
        return store.after(last, limit);
    }

    @Override
    public Optional<Stream> open(String session, String name) {
        return store.open(session, name);
    }

    @Override
    public void end(String session, String name) {
        check();
        store.end(session, name);
    }

    @Override
    public void forget(String session) {
        check();
        store.forget(session);
    }

    @Override
    public Optional<SessionStore> sessions() {
        return store.sessions();
    }
}
