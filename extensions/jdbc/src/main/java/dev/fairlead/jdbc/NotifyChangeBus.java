package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.PostgresEngine;
import dev.fairlead.protocol.changes.Change;
import dev.fairlead.protocol.changes.ChangeBus;
import dev.fairlead.protocol.changes.ChangeListener;
import dev.fairlead.protocol.changes.InProcessChangeBus;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Changes among the nodes of a PostgreSQL. It is connected while it has a listener. Each text on
 * the channel begins with the space, since all spaces share the channel.
 */
final class NotifyChangeBus implements ChangeBus {
    private static final Logger LOG = System.getLogger(NotifyChangeBus.class.getName());

    static final String CHANNEL = "mcp_change";
    private static final String SUBJECT = "changes";

    private final PostgresEngine engine;
    private final String prefix;
    private final InProcessChangeBus listeners = new InProcessChangeBus();
    private final ReentrantLock connecting = new ReentrantLock();
    private volatile @Nullable NotifyChannel channel; // changed under the lock

    NotifyChangeBus(PostgresEngine engine, String space) {
        this.engine = engine;
        this.prefix = space + " ";
    }

    @Override
    public Registration listen(ChangeListener listener) {
        connecting.lock();
        try {
            Registration registration = listeners.listen(listener);
            if (channel == null) {
                NotifyChannel opened = new NotifyChannel(engine, CHANNEL, SUBJECT);
                opened.open(new Incoming());
                channel = opened;
            }
            return () -> close(registration);
        } finally {
            connecting.unlock();
        }
    }

    private void close(Registration registration) {
        NotifyChannel unused = null;
        connecting.lock();
        try {
            registration.close();
            if (listeners.isEmpty()) {
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
                LOG.log(
                        Level.DEBUG,
                        "Ignored a notification that another version may understand: {0}",
                        text);
                return;
            }
            listeners.publish(change);
        }

        @Override
        public void anyChanged() {
            listeners.changesMissed();
        }
    }
}
