package dev.fairlead.auth.server;

import static dev.fairlead.auth.server.TestIssuer.RESOURCE;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/** The rate at which keys are fetched for tokens with unknown keys. */
@Tag("proof")
class AttackByTokensProofTest {
    @Test
    void unknownKeysAreFetchedAtALimitedRate() throws Exception {
        try (TestIssuer issuer = new TestIssuer("login");
                GuardedServer server =
                        new GuardedServer(
                                ResourceServer.at(RESOURCE)
                                        .trust(issuer.url())
                                        .clock(new SetClock()))) {
            var evil = TestIssuer.key("evil-0");
            long begun = System.nanoTime();
            assertThat(server.initialize(issuer.token()).statusCode()).isEqualTo(200);
            for (int i = 0; i < 50; i++) {
                String token =
                        TestIssuer.signed(
                                issuer.header().keyID("evil-" + i),
                                issuer.claims(claims -> claims),
                                evil);
                assertThat(server.initialize(token).statusCode()).isEqualTo(401);
            }

            Duration taken = Duration.ofNanos(System.nanoTime() - begun);
            int pauses = 1 + (int) taken.dividedBy(IssuerKeys.PAUSE); // that have begun
            assertThat(issuer.keysAsked.get()).isLessThanOrEqualTo(2 * pauses);
            assertThat(server.initialize(issuer.token()).statusCode()).isEqualTo(200);
        }
    }
}
