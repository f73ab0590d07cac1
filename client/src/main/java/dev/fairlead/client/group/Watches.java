package dev.fairlead.client.group;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.Subscription;
import dev.fairlead.client.internal.Mailbox;
import dev.fairlead.jsonrpc.CallException;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/** The resources of one server that are watched, whichever connection it has. */
final class Watches implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(Watches.class.getName());
    private static final int WAITING = 1_000;

    private final String server;
    private final List<Watch> watches = new CopyOnWriteArrayList<>();
    private final Mailbox<Watch> restored;

    Watches(String server) {
        this.server = server;
        this.restored =
                new Mailbox<>(
                        "restored", WAITING, watch -> watch.listener.heard(server, watch.uri));
    }

    /** Begins to watch on this connection. */
    Watch add(String uri, GroupListener<String> listener, McpClient client)
            throws InterruptedException {
        Watch watch = new Watch(uri, listener);
        watches.add(watch);
        boolean subscribed = false;
        try {
            watch.subscribe(client);
            subscribed = true;
            return watch;
        } finally {
            if (!subscribed) {
                watches.remove(watch);
            }
        }
    }

    /** Goes on with a new connection. */
    void restore(McpClient client) throws InterruptedException {
        for (Watch watch : watches) {
            try {
                if (watch.subscribe(client)) {
                    restored.putOnce(watch);
                }
            } catch (CallException e) {
                LOGGER.log(
                        Level.WARNING,
                        "{0} of the server {1} is not watched any more: {2}",
                        watch.uri,
                        server,
                        e.getMessage());
            }
        }
    }

    @Override
    public void close() {
        restored.close();
        watches.clear();
    }

    /** One who watches. The lock makes sure that there is one subscription. */
    final class Watch implements WatchedResource {
        private final String uri;
        private final GroupListener<String> listener;
        private final ReentrantLock subscribing = new ReentrantLock();
        private @Nullable McpClient at;
        private @Nullable Subscription subscription;
        private boolean closed;

        private Watch(String uri, GroupListener<String> listener) {
            this.uri = uri;
            this.listener = listener;
        }

        /** Subscribes at this connection; false if it is so already, or the watch was closed. */
        private boolean subscribe(McpClient client) throws InterruptedException {
            subscribing.lockInterruptibly();
            try {
                if (closed || client.equals(at)) {
                    return false;
                }
                subscription = client.watch(uri, changed -> listener.heard(server, changed));
                at = client;
                return true;
            } finally {
                subscribing.unlock();
            }
        }

        @Override
        public String uri() {
            return uri;
        }

        @Override
        public String server() {
            return server;
        }

        @Override
        public void close() {
            watches.remove(this);
            Subscription ending;
            subscribing.lock();
            try {
                closed = true;
                ending = subscription;
                subscription = null;
            } finally {
                subscribing.unlock();
            }
            if (ending != null) {
                ending.close();
            }
        }
    }
}
