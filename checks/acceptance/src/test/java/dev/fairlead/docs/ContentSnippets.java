package dev.fairlead.docs;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.content.AudioContent;
import dev.fairlead.protocol.content.Content;
import dev.fairlead.protocol.content.EmbeddedResource;
import dev.fairlead.protocol.content.ImageContent;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.protocol.resources.ResourceContents;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import java.util.List;

/** The code of pages for results of each kind, prompts of each kind and peers of each age. */
final class ContentSnippets {
    static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G'};
    static final byte[] WAV = {'R', 'I', 'F', 'F'};

    private ContentSnippets() {}

    static McpServer contents(byte[] map, byte[] wind) {
        // @start region="contents"
        McpServer server =
                McpServer.named("weather", "1.0.0")
                        .tool("map", "Draws the weather", NoInput.class, ImageContent.class)
                        .handle((none, call) -> Content.image(map, "image/png"))
                        .tool("wind", "Sounds like the wind", NoInput.class, AudioContent.class)
                        .handle((none, call) -> Content.audio(wind, "audio/wav"))
                        .tool("report", "The report", NoInput.class, EmbeddedResource.class)
                        .handle(
                                (none, call) ->
                                        Content.resource(
                                                ResourceContents.text(
                                                        "weather://report",
                                                        "text/markdown",
                                                        "# Fair")))
                        .tool(
                                "all",
                                "A text and the map",
                                NoInput.class,
                                new TypeRef<List<Content>>() {})
                        .handle(
                                (none, call) ->
                                        List.of(
                                                Content.text("Fair in Oslo"),
                                                Content.image(map, "image/png")))
                        .build();
        // @end
        return server;
    }

    static String shown(McpClient client, String tool) throws InterruptedException {
        StringBuilder shown = new StringBuilder();
        // @start region="shown"
        CallToolResult result = client.callTool(tool, JsonObject.EMPTY);
        for (Content block : result.content()) {
            if (block instanceof ImageContent image) {
                shown.append(image.mimeType()).append(' ').append(image.bytes().length);
            } else if (block instanceof AudioContent audio) {
                shown.append(audio.mimeType()).append(' ').append(audio.bytes().length);
            } else if (block instanceof EmbeddedResource embedded) {
                shown.append(embedded.resource().uri());
            }
        }
        // @end
        return shown.toString();
    }

    record About(String uri) {}

    static McpServer prompts(byte[] map) {
        // @start region="prompts"
        McpServer server =
                McpServer.named("weather", "1.0.0")
                        .prompt("greeting", "Greets the person", NoInput.class)
                        .handle(
                                (none, call) ->
                                        GetPromptResult.of(PromptMessage.user("Good morning!")))
                        .prompt("explain", "Explains a report", About.class)
                        .handle(
                                (about, call) ->
                                        GetPromptResult.of(
                                                PromptMessage.user(
                                                        Content.resource(
                                                                ResourceContents.text(
                                                                        about.uri(),
                                                                        "text/markdown",
                                                                        "# Fair"))),
                                                PromptMessage.user("Explain this report.")))
                        .prompt("describe", "Describes the map", NoInput.class)
                        .handle(
                                (none, call) ->
                                        GetPromptResult.of(
                                                PromptMessage.user(Content.image(map, "image/png")),
                                                PromptMessage.user("Describe this map.")))
                        .build();
        // @end
        return server;
    }

    static void addTool(McpServer server) {
        // @start region="add-tool"
        server.update(
                features ->
                        features.tool("tide", "The tide at a port", NoInput.class, String.class)
                                .handle((none, call) -> "High at 14:10"));
        // @end
    }

    static McpClient.Builder watchTools(List<String> names) {
        // @start region="watch-tools"
        McpClient.Builder settings =
                McpClient.named("desk", "1.4.0")
                        .onToolsChanged(
                                changed -> changed.tools().forEach(tool -> names.add(tool.name())));
        // @end
        return settings;
    }

    static void oldClients(McpServer server) {
        // @start region="old-clients"
        server.serve(Http.port(3000).legacySse()); // /mcp, and /sse for old clients
        // @end
    }

    static String oldServer(String url) throws InterruptedException {
        // @start region="old-server"
        try (McpClient client = McpClient.connect(Http.to(url).legacySse())) {
            return client.callTool("map", JsonObject.EMPTY).text();
        }
        // @end
    }

    static Tool contact() {
        // @start region="dialect"
        Tool tool =
                Tool.builder(
                                "contact",
                                "Stores how a person is reached",
                                JsonSchema.parse(
                                        """
                                        {
                                          "$schema": "https://json-schema.org/draft/2020-12/schema",
                                          "type": "object",
                                          "$defs": {"phone": {"type": "string", "pattern": "^[+0-9 ]+$"}},
                                          "properties": {
                                            "email": {"type": "string"},
                                            "phone": {"$ref": "#/$defs/phone"}
                                          },
                                          "anyOf": [{"required": ["email"]}, {"required": ["phone"]}],
                                          "unevaluatedProperties": false
                                        }
                                        """))
                        .build();
        // @end
        return tool;
    }
}
