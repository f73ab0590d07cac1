package dev.fairlead.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.shared.PerRequestFrames;
import dev.fairlead.test.support.ClosingTest;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.http.HttpClient;

/** Callers elsewhere make more calls than a server allows in a second of real time. */
@Tag("proof")
@Timeout(300)
class LoopbackRatesProofTest extends ClosingTest {
    private static final int MOST_BATCHES = 200;

    @Test
    @Requirement("TOOL-023")
    void callsOfOthersAreCounted() throws Exception {
        McpServer server =
                closedLater(
                        McpServer.named("s", "1")
                                .tool("echo", "Answers at once", NoInput.class, String.class)
                                .handle((none, call) -> "echoed")
                                .build());
        HttpServing serving =
                closedLater(
                        server.serve(
                                PerRequestFrames.listener().stateless().trustProxies("127.0.0.1")));
        HttpClient client = closedLater(HttpClient.newHttpClient());

        int refused = 0;
        for (int i = 0; i < MOST_BATCHES && refused == 0; i++) {
            refused +=
                    LoopbackCallersTest.refused(client, serving, 1, LoopbackCallersTest.ELSEWHERE);
        }

        assertThat(refused).isPositive();
    }
}
