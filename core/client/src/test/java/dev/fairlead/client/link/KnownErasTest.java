package dev.fairlead.client.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.Era;
import dev.fairlead.test.support.FreshClients;

import org.junit.jupiter.api.Test;

import java.time.Instant;

class KnownErasTest {
    /** A listener of JUnit that fails is a line of the log, and no test is red. */
    @Test
    void theClientsOfEachTestKnowNoServer() {
        KnownEras.SHARED.remember("a place of this test", Era.PER_REQUEST, Instant.EPOCH);

        FreshClients.forget();

        assertThat(KnownEras.SHARED.find("a place of this test", Instant.EPOCH)).isEmpty();
    }
}
