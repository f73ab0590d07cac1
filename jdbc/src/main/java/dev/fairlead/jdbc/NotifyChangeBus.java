package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.PostgresEngine;
import dev.fairlead.protocol.changes.Change;
import dev.fairlead.protocol.changes.ChangeBus;
import dev.fairlead.protocol.changes.ChangeListener;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Changes among the nodes of a PostgreSQL. It is connected while it has a listener. Each text on
 * the channel begins with the space, since all spaces share the channel.
 */
final class NotifyChangeBus implements ChangeBus {
    private static final Logger LOG = System.getLogger(NotifyChangeBus.class.getName());

    private static final String CHANNEL = "mcp_change";
    private static final String SUBJECT = "changes";

    private final PostgresEngine engine;
    private final String prefix;
    private final ReentrantLock connecting = new ReentrantLock();
    private final List<Entry> entries = new CopyOnWriteArrayList<>(); // changed under the lock
    private volatile @Nullable NotifyChannel channel; // changed under the lock

    NotifyChangeBus(PostgresEngine engine, String space) {
        this.engine = engine;
        this.prefix = space + " ";
    }

    /** One registration: the same listener may be there twice. */
    private final class Entry implements Registration {
        private final ChangeListener listener;
        private final AtomicBoolean closed = new AtomicBoolean();

        Entry(ChangeListener listener) {
            this.listener = listener;
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                remove(this);
            }
        }
    }

    @Override
    public Registration listen(ChangeListener listener) {
        Entry entry = new Entry(listener);
        connecting.lock();
        try {
            entries.add(entry);
            if (channel == null) {
                NotifyChannel opened = new NotifyChannel(engine, CHANNEL, SUBJECT);
                opened.open(new Incoming());
                channel = opened;
            }
        } finally {
            connecting.unlock();
        }
        return entry;
    }

    private void remove(Entry entry) {
        NotifyChannel unused = null;
        connecting.lock();
        try {
            entries.remove(entry);
            if (entries.isEmpty()) {
                unused = channel;
                channel = null;
            }
        } finally {
            connecting.unlock();
        }
        if (unused != null) {
            unused.close();
        }
    }

    @Override
    public void publish(Change change) {
        NotifyChannel connected = channel;
        if (connected != null) {
            connected.changed(prefix + change.text());
        }
    }

    private final class Incoming implements NotifyChannel.Receiver {
        @Override
        public void changed(String text) {
            if (!text.startsWith(prefix)) {
                return;
            }
            Change change;
            try {
                change = Change.parse(text.substring(prefix.length()));
            } catch (IllegalArgumentException e) {
                LOG.log(Level.DEBUG, "Ignored what another version may understand: {0}", text);
                return;
            }
            each(listener -> listener.changed(change));
        }

        @Override
        public void anyChanged() {
            each(ChangeListener::missed);
        }
    }

    private void each(Consumer<ChangeListener> call) {
        for (Entry entry : entries) {
            try {
                call.accept(entry.listener);
            } catch (Throwable e) { // whatever it is, the channel and the others go on
                LOG.log(Level.WARNING, "A listener failed on a change", e);
            }
        }
    }
}
