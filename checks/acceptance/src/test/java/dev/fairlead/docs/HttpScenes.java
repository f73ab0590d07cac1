package dev.fairlead.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import java.io.IOException;
import java.time.Duration;

/** A session over Streamable HTTP, from the first request to the last. */
final class HttpScenes {
    private HttpScenes() {}

    static void session(Recorder recorder) throws InterruptedException, IOException {
        McpServer server =
                McpServer.named("weather", "1.0.0")
                        .tool("index", "Reads all stations", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    call.progress(1, 1);
                                    return "1 station";
                                })
                        .build();
        try (server;
                RecordingProxy proxy =
                        RecordingProxy.to(
                                server.serve(Http.port(0).streamAfter(Duration.ofHours(1))).uri(),
                                recorder);
                McpClient client =
                        McpClient.named("desk", "1.4.0")
                                .revisions(
                                        Revision.NEWEST_WITH_HANDSHAKE,
                                        Revision.NEWEST_WITH_HANDSHAKE)
                                .connect(Http.to(proxy.uri()).listening(false))) {
            assertThat(client.withProgress(report -> {}).callTool("index", JsonObject.EMPTY).text())
                    .isEqualTo("1 station");
        }
    }
}
