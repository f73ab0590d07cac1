package dev.fairlead.protocol.engine;

import dev.fairlead.protocol.options.Checks;

/**
 * Limits of one connection.
 *
 * @param requests how many requests of the peer may run at a time, of each {@link RequestKind};
 *     more are refused
 * @param notifications how many notifications of the peer may wait to be handled; more are dropped
 *     and logged
 */
public record ConnectionLimits(int requests, int notifications) {
    public static final ConnectionLimits DEFAULT = new ConnectionLimits(1_000, 10_000);

    public ConnectionLimits {
        Checks.positive(requests, "requests");
        Checks.positive(notifications, "notifications");
    }
}
