package dev.fairlead.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Which features a server lists as quick: by their latest runs, over any transport. */
@Timeout(60)
class QuickFeaturesTest {
    private final AtomicLong pause = new AtomicLong();

    private McpServer.Builder server() {
        return McpServer.named("paces", "1")
                .withoutRateLimit()
                .tool("own", "Has threads of its own", NoInput.class, String.class)
                .ownThread()
                .handle((none, call) -> "")
                .tool("pausing", "Pauses as long as it is asked to", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            LockSupport.parkNanos(pause.get());
                            return "";
                        });
    }

    private static void call(McpClient client, String tool) throws InterruptedException {
        client.tool(tool, JsonObject.class, String.class).call(JsonObject.EMPTY);
    }

    @Test
    void aFeatureIsQuickAfterManyQuickRunsUntilSomeAreSlow() throws Exception {
        try (McpTest test = McpTest.of(server())) {
            McpServer server = test.server();
            McpClient client = test.client();
            assertThat(server.quickFeatures()).isEmpty();

            while (server.quickFeatures().isEmpty()) { // a cold machine takes a while
                call(client, "own");
                call(client, "pausing");
            }
            assertThat(server.quickFeatures()).containsExactly("the tool pausing");

            pause.set(2_000_000);
            for (int i = 0; i < 8; i++) {
                call(client, "pausing");
            }
            assertThat(server.quickFeatures()).isEmpty();
        }
    }
}
