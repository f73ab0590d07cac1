package dev.fairlead.server.subscriptions;

import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.RequestRefusedException;
import dev.fairlead.protocol.limits.Quota;
import dev.fairlead.protocol.subscriptions.NotificationFilter;

/**
 * The places of streams of changes: a {@link Quota} whose last quarter is a reserve, which callers
 * on the loopback interface leave to others. Thread-safe.
 */
final class SubscriptionPlaces {
    private final SubscriptionLimits limits;
    private final Quota places;

    SubscriptionPlaces(SubscriptionLimits limits) {
        this.limits = limits;
        int open = Quota.withoutReserve(limits.all());
        this.places =
                Quota.of(open)
                        .perCaller(limits.perCaller())
                        .reserve(limits.all() - open, limits.perCaller());
    }

    /**
     * Takes the place of a stream.
     *
     * @throws RequestRefusedException if there is none, or the stream would watch too much
     */
    Quota.Share take(NotificationFilter wanted, Object key, Owner owner) {
        if (wanted.uris().size() > limits.uris()) {
            throw RequestRefusedException.limit(
                    "A subscription may watch " + limits.uris() + " resources");
        }
        if (wanted.taskIds() != null && wanted.taskIds().size() > limits.uris()) {
            throw RequestRefusedException.limit(
                    "A subscription may watch " + limits.uris() + " tasks");
        }
        boolean spared = owner.isLoopback() && !limits.loopback();
        Quota.Share place = spared ? places.sparedShare(key) : places.share(key, null);
        if (place.take(1)) {
            return place;
        }
        throw places.held() < limits.all()
                ? RequestRefusedException.limit(
                        "A caller may have " + limits.perCaller() + " subscriptions at a time")
                : RequestRefusedException.limit(
                        "The server has " + limits.all() + " subscriptions, which is the most");
    }
}
