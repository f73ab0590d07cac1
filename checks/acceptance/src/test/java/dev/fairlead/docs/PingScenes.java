package dev.fairlead.docs;

import dev.fairlead.client.McpClient;
import dev.fairlead.server.McpServer;

/** Is the peer still there? */
final class PingScenes {
    private PingScenes() {}

    static void clientPings(Recorder recorder) throws InterruptedException {
        McpServer server = McpServer.named("demo", "1.0.0").build();
        try (McpClient client = recorder.connect(server, McpClient.named("desk", "1.0.0"))) {
            recorder.restart();
            // @start region="ping"
            client.ping();
            // @end
        }
    }
}
