package dev.fairlead.client.group;

import dev.fairlead.client.ClientRequests;
import dev.fairlead.client.McpClient;
import dev.fairlead.client.ResourceListener;
import dev.fairlead.client.Subscription;
import dev.fairlead.client.internal.Mailbox;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.time.LastingLoop;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/** The resources of one server that are watched, whichever connection it has. */
final class Watches implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(Watches.class.getName());
    private static final int WAITING = 1_000;

    /** How long after a refusal a server is asked again. */
    static final Duration RETRY = Duration.ofSeconds(30);

    private final String server;
    private final Timers timers;
    private final List<Watch> watches = new CopyOnWriteArrayList<>();
    private final Mailbox<Watch> restored;
    private volatile @Nullable McpClient newest;

    Watches(String server, Timers timers) {
        this.server = server;
        this.timers = timers;
        this.restored =
                new Mailbox<>("restored", WAITING, watch -> watch.listener.updated(watch.uri));
    }

    /**
     * Begins to watch on this connection.
     *
     * @param requests of the client, with the options of the subscriber
     */
    Watch add(String uri, ResourceListener listener, ClientRequests requests, McpClient client)
            throws InterruptedException {
        Watch watch = new Watch(uri, listener);
        boolean subscribed = false;
        // held until a failed watch is closed: a new connection would subscribe it once more
        watch.subscribing.lockInterruptibly();
        try {
            watches.add(watch);
            watch.subscribe(requests, client);
            subscribed = true;
            return watch;
        } finally {
            if (!subscribed) {
                watch.close();
            }
            watch.subscribing.unlock();
        }
    }

    /** Subscribes again on a new connection; refused subscriptions are retried after a while. */
    void restore(McpClient client) throws InterruptedException {
        newest = client;
        boolean again = false;
        for (Watch watch : watches) {
            try {
                if (watch.subscribe(client, client)) {
                    restored.putOnce(watch);
                }
            } catch (CallException e) {
                again = true;
                LimitedLog.log(
                        LOGGER,
                        Level.WARNING,
                        server,
                        "{0} of the server {1} is not watched at the moment: {2}",
                        watch.uri,
                        server,
                        Printable.excerpt(e.getMessage()));
            }
        }
        if (again) {
            timers.schedule(
                    RETRY,
                    () -> Thread.ofVirtual().name("mcp-group-watch").start(() -> retry(client)));
        }
    }

    private void retry(McpClient client) {
        LastingLoop.run(
                LOGGER,
                server,
                "Resources could not be watched again",
                () -> {
                    if (client.equals(newest)) {
                        restore(client);
                    }
                    return false;
                });
    }

    /** The connection is over. */
    void leave() {
        newest = null;
    }

    /** Watched resources may have changed without a notification. */
    void notifyAllWatches() {
        watches.forEach(restored::putOnce);
    }

    @Override
    public void close() {
        leave();
        restored.close();
        watches.clear();
    }

    /** A listener and the resource that it watches. */
    final class Watch implements Subscription {
        private final String uri;
        private final ResourceListener listener;
        private final ReentrantLock subscribing = new ReentrantLock(); // held during requests
        private final ReentrantLock lock = new ReentrantLock();
        // guarded by lock
        private @Nullable McpClient at;
        private @Nullable Subscription subscription;
        private boolean closed;

        private Watch(String uri, ResourceListener listener) {
            this.uri = uri;
            this.listener = listener;
        }

        /**
         * Subscribes at this connection, once; false if it is so already, or the watch was closed.
         */
        private boolean subscribe(ClientRequests requests, McpClient client)
                throws InterruptedException {
            subscribing.lockInterruptibly();
            try {
                if (!lacks(client)) {
                    return false;
                }
                Subscription begun = requests.watch(uri, listener);
                if (!keep(begun, client)) {
                    begun.close();
                    return false;
                }
                return true;
            } finally {
                subscribing.unlock();
            }
        }

        private boolean lacks(McpClient client) {
            lock.lock();
            try {
                return !closed && !client.equals(at);
            } finally {
                lock.unlock();
            }
        }

        private boolean keep(Subscription begun, McpClient client) {
            lock.lock();
            try {
                if (!closed) {
                    subscription = begun;
                    at = client;
                }
                return !closed;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public String uri() {
            return uri;
        }

        @Override
        public void close() {
            watches.remove(this);
            Subscription ending;
            lock.lock();
            try {
                closed = true;
                ending = subscription;
                subscription = null;
            } finally {
                lock.unlock();
            }
            if (ending != null) {
                ending.close();
            }
        }
    }
}
