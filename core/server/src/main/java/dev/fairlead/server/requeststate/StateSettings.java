package dev.fairlead.server.requeststate;

import java.time.Duration;

/** How states are sealed; each is documented at {@link dev.fairlead.server.RequestState}. */
public record StateSettings(StateKeys keys, Duration ttl, int maxBytes, String audience) {}
