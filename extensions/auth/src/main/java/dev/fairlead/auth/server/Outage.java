package dev.fairlead.auth.server;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Logs that an issuer or another verifier is out of reach: once in a while, however many requests
 * and verifiers are affected. Safe for use by several threads.
 */
final class Outage {
    static final Duration SILENCE = Duration.ofMinutes(1);

    private static final System.Logger LOGGER = System.getLogger(ResourceServer.class.getName());

    private final Clock clock;
    private final AtomicReference<@Nullable Instant> said = new AtomicReference<>();

    Outage(Clock clock) {
        this.clock = clock;
    }

    void isMet(IOException cause) {
        Instant now = clock.instant();
        Instant last = said.get();
        boolean isNews = last == null || now.isBefore(last) || !now.isBefore(last.plus(SILENCE));
        if (isNews && said.compareAndSet(last, now)) {
            LOGGER.log(Level.WARNING, "Tokens cannot be verified: {0}", cause.getMessage());
        }
        LOGGER.log(Level.DEBUG, "A token could not be verified", cause);
    }
}
