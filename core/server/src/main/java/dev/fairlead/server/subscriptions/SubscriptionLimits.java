package dev.fairlead.server.subscriptions;

/**
 * The limits of streams of changes; each is documented at the builder of a server.
 *
 * @param perCaller how many streams a caller may have
 * @param loopback whether that also holds for anonymous callers on the loopback interface
 * @param all how many there may be
 * @param uris how many resources a stream may watch
 */
public record SubscriptionLimits(int perCaller, boolean loopback, int all, int uris) {}
