package dev.fairlead.client;

import dev.fairlead.client.calls.CallParts;
import dev.fairlead.client.changes.WatchedResources;
import dev.fairlead.client.link.Caller;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.protocol.Printable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** A watch of one resource. */
final class ResourceWatch implements Subscription {
    private static final System.Logger LOGGER = System.getLogger(ResourceWatch.class.getName());

    private final CallParts parts;
    private final Caller caller;
    private final Duration timeout;
    private final WatchedResources.Watch watch;
    private final AtomicBoolean closed = new AtomicBoolean();

    private ResourceWatch(
            CallParts parts, Caller caller, Duration timeout, WatchedResources.Watch watch) {
        this.parts = parts;
        this.caller = caller;
        this.timeout = timeout;
        this.watch = watch;
    }

    /**
     * Watches a resource, once the server has agreed.
     *
     * @param timeout for the answer of the server
     */
    static ResourceWatch open(
            CallParts parts, Caller caller, Duration timeout, String uri, ResourceListener listener)
            throws InterruptedException {
        WatchedResources resources = parts.context().resources();
        ResourceWatch opened =
                new ResourceWatch(parts, caller, timeout, resources.add(uri, listener::updated));
        boolean subscribed = false;
        try {
            opened.subscribe();
            subscribed = true;
            return opened;
        } finally {
            if (!subscribed) {
                resources.remove(opened.watch);
                parts.links().changesWanted();
            }
        }
    }

    @Override
    public String uri() {
        return watch.uri();
    }

    private void subscribe() throws InterruptedException {
        parts.links().current().watch(uri(), caller, timeout);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            parts.context().resources().remove(watch);
            unsubscribe();
        }
    }

    /**
     * Unsubscribes unless another watch of the resource exists. One may begin meanwhile, and the
     * server may see the two requests in either order: then this subscribes once more.
     */
    private void unsubscribe() {
        WatchedResources resources = parts.context().resources();
        try {
            if (!resources.isWatched(uri())) {
                parts.links().current().unwatch(uri(), caller);
                if (resources.isWatched(uri())) {
                    subscribe();
                }
            }
        } catch (CallException e) {
            LOGGER.log(
                    Level.DEBUG,
                    "{0} may still be subscribed: {1}",
                    Printable.excerpt(uri()),
                    Printable.excerpt(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
