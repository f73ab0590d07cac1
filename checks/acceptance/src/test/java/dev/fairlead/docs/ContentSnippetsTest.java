package dev.fairlead.docs;

import static dev.fairlead.docs.ContentSnippets.PNG;
import static dev.fairlead.docs.ContentSnippets.WAV;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.content.EmbeddedResource;
import dev.fairlead.protocol.content.ImageContent;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** The examples of each kind of content, of prompts, of lists that change and of old peers run. */
class ContentSnippetsTest {
    @Test
    void toolsGiveImagesSoundsAndResources() throws Exception {
        try (McpServer server = ContentSnippets.contents(PNG, WAV);
                McpClient client = McpClient.connect(server.inProcess())) {
            assertThat(ContentSnippets.shown(client, "map")).isEqualTo("image/png 4");
            assertThat(ContentSnippets.shown(client, "wind")).isEqualTo("audio/wav 4");
            assertThat(ContentSnippets.shown(client, "report")).isEqualTo("weather://report");
            assertThat(client.callTool("all", JsonObject.EMPTY).content()).hasSize(2);
        }
    }

    @Test
    void promptsHaveNoArgumentsResourcesAndImages() throws Exception {
        try (McpServer server = ContentSnippets.prompts(PNG);
                McpClient client = McpClient.connect(server.inProcess())) {
            assertThat(client.getPrompt("greeting", Map.of()).messages()).hasSize(1);
            assertThat(
                            client.getPrompt("explain", Map.of("uri", "weather://report"))
                                    .messages()
                                    .get(0)
                                    .content())
                    .isInstanceOf(EmbeddedResource.class);
            assertThat(client.getPrompt("describe", Map.of()).messages().get(0).content())
                    .isInstanceOf(ImageContent.class);
        }
    }

    @Test
    void aToolThatIsAddedReachesTheListener() throws Exception {
        List<String> names = new CopyOnWriteArrayList<>();
        try (McpServer server = ContentSnippets.contents(PNG, WAV);
                McpClient client = ContentSnippets.watchTools(names).connect(server.inProcess())) {
            client.tools();
            ContentSnippets.addTool(server);
            await().until(() -> names.contains("tide"));
        }
    }

    @Test
    void oldPeersAreServedAndCalled() throws Exception {
        try (McpServer server = ContentSnippets.contents(PNG, WAV);
                HttpServing serving = server.serve(Http.port(0).legacySse())) {
            String old = serving.uri().resolve("/sse").toString();
            assertThat(ContentSnippets.oldServer(old)).isEmpty();
        }
    }

    @Test
    void aSchemaOfYourOwnIsChecked() throws Exception {
        try (McpServer server =
                        McpServer.named("contacts", "1")
                                .tool(ContentSnippets.contact())
                                .handle((request, call) -> CallToolResult.text("stored"))
                                .build();
                McpClient client = McpClient.connect(server.inProcess())) {
            assertThat(client.callTool("contact", JsonObject.of("phone", "+47 1")).text())
                    .isEqualTo("stored");
            assertThat(client.callTool("contact", JsonObject.of("phone", "x")).isError()).isTrue();
            assertThat(client.callTool("contact", JsonObject.EMPTY).isError()).isTrue();
            assertThat(
                            client.callTool("contact", JsonObject.of("email", "a", "other", 1))
                                    .isError())
                    .isTrue();
        }
    }
}
