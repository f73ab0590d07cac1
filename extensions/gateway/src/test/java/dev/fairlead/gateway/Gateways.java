package dev.fairlead.gateway;

import java.time.Duration;

/** Gateways of tests. */
final class Gateways {
    /** The limit of waits that end by an event, also on a slow machine. */
    static final Duration LONG = Duration.ofMinutes(5);

    private Gateways() {}

    /** A gateway that waits as long as it takes. */
    static Gateway.Builder patient() {
        return Gateway.named("gateway", "1").connectWait(LONG).logWait(LONG);
    }
}
