package dev.fairlead.gateway;

import java.time.Duration;

/** Gateways of tests. */
final class Gateways {
    /** For waits that end by an event, however slow the machine is. */
    static final Duration LONG = Duration.ofMinutes(5);

    private Gateways() {}

    /** A gateway that waits as long as it takes. */
    static Gateway.Builder patient() {
        return Gateway.named("gateway", "1").connectWait(LONG).logWait(LONG);
    }
}
