package dev.fairlead.client.group;

/**
 * A resource of a server of a group that is being watched, see {@link GroupRequests#watch}.
 * Thread-safe, not for implementing.
 */
public sealed interface WatchedResource extends AutoCloseable permits Watches.Watch {
    /** The resource. */
    String uri();

    /** The name of its server in the group. */
    String server();

    /** As {@link dev.fairlead.client.Subscription#close}. */
    @Override
    void close();
}
