package dev.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.face.HandshakeFace;
import dev.fairlead.protocol.lifecycle.InitializeResult;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;

import org.junit.jupiter.api.RepeatedTest;

import java.time.Duration;
import java.time.Instant;

/** The memory of servers, which no two tests share. */
final class KnownServersTest {
    private static final String PLACE = "http://127.0.0.1:1/mcp";

    private static final Agreed OLD =
            new Agreed(
                    HandshakeFace.of(Revision.V2025_11_25),
                    new InitializeResult(
                            Revision.V2025_11_25.date(),
                            ServerCapabilities.NONE,
                            new Implementation("old", "1")));

    @RepeatedTest(2)
    void eachTestBeginsWithoutKnownServers() {
        Instant now = Instant.parse("2026-07-28T00:00:00Z");
        assertThat(KnownServers.SHARED.find(PLACE, now)).isEmpty();

        KnownServers.SHARED.remember(PLACE, OLD, now);

        assertThat(KnownServers.SHARED.find(PLACE, now)).isPresent();
        assertThat(KnownServers.SHARED.find(PLACE, now.plus(Duration.ofHours(2)))).isEmpty();
    }
}
