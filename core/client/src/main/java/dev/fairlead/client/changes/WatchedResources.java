package dev.fairlead.client.changes;

import dev.fairlead.client.internal.Mailbox;
import dev.fairlead.protocol.engine.HeapSize;
import dev.fairlead.protocol.resources.ResourceUpdatedNotification;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** The watches of this client, by resource. */
public final class WatchedResources {
    private static final int WAITING = 1_000;

    private final long maxBytes;
    private final List<Watch> watches = new CopyOnWriteArrayList<>();

    /**
     * @param maxBytes the most bytes of updates that wait for each listener
     */
    public WatchedResources(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Watches a resource from now on, until {@link #remove}. */
    public Watch add(String uri, Mailbox.Listener<String> listener) {
        Watch watch =
                new Watch(uri, new Mailbox<>("watch", WAITING, maxBytes, HeapSize::of, listener));
        watches.add(watch);
        return watch;
    }

    public void remove(Watch watch) {
        watches.remove(watch);
        watch.mailbox.close();
    }

    public boolean isWatched(String uri) {
        return watches.stream().anyMatch(watch -> watch.uri.equals(uri));
    }

    public Set<String> uris() {
        return watches.stream().map(Watch::uri).collect(Collectors.toUnmodifiableSet());
    }

    /** Notifies the watches of a resource, or of one above it, of its change. */
    public void updated(String uri) {
        for (Watch watch : watches) {
            if (ResourceUpdatedNotification.isSameOrBelow(uri, watch.uri)) {
                watch.mailbox.putOnce(uri);
            }
        }
    }

    public void close() {
        watches.forEach(watch -> watch.mailbox.close());
        watches.clear();
    }

    /** A listener and the resource that it watches; equal to itself alone. */
    public static final class Watch {
        private final String uri;
        private final Mailbox<String> mailbox;

        private Watch(String uri, Mailbox<String> mailbox) {
            this.uri = uri;
            this.mailbox = mailbox;
        }

        public String uri() {
            return uri;
        }
    }
}
