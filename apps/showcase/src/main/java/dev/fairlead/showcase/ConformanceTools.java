package dev.fairlead.showcase;

import dev.fairlead.json.JsonSchema;
import dev.fairlead.protocol.content.Content;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.resources.ResourceContents;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.server.Features;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.Call;

import java.time.Duration;

/** The tools that the conformance suite calls, but for those that ask the client. */
final class ConformanceTools {
    private static final Duration STEP = Duration.ofMillis(50);

    private ConformanceTools() {}

    static void declare(Features<?> features) {
        content(features);
        behaviour(features);
        features.tool(
                        Tool.builder(
                                        "json_schema_2020_12_tool",
                                        "Has a schema with every keyword that is easily lost",
                                        SCHEMA_2020_12)
                                .build())
                .handle((request, call) -> CallToolResult.text(request.arguments().toJson()));
    }

    private static void content(Features<?> features) {
        features.tool("test_simple_text", "Gives a text", NoInput.class, String.class)
                .handle((none, call) -> "This is a simple text response for testing.");
        features.tool("test_image_content", "Gives an image", NoInput.class, Content.class)
                .handle((none, call) -> Content.image(Fixtures.PNG, "image/png"));
        features.tool("test_audio_content", "Gives a sound", NoInput.class, Content.class)
                .handle((none, call) -> Content.audio(Fixtures.WAV, "audio/wav"));
        features.tool("test_embedded_resource", "Gives a resource", NoInput.class, Content.class)
                .handle(
                        (none, call) ->
                                Content.resource(
                                        ResourceContents.text(
                                                "test://embedded-resource",
                                                "text/plain",
                                                "This is an embedded resource content.")));
        features.tool(
                        "test_multiple_content_types",
                        "Gives a text, an image and a resource",
                        NoInput.class,
                        CallToolResult.class)
                .handle(
                        (none, call) ->
                                CallToolResult.of(
                                        Content.text("Multiple content types test:"),
                                        Content.image(Fixtures.PNG, "image/png"),
                                        Content.resource(
                                                ResourceContents.text(
                                                        "test://mixed-content-resource",
                                                        "application/json",
                                                        "{\"test\":\"data\",\"value\":123}"))));
    }

    private static void behaviour(Features<?> features) {
        features.tool("test_tool_with_logging", "Logs while it works", NoInput.class, String.class)
                .handle(ConformanceTools::logging);
        features.tool("test_tool_with_progress", "Reports progress", NoInput.class, String.class)
                .handle(ConformanceTools::progress);
        features.tool("test_error_handling", "Always fails", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            throw new ToolFailedException(
                                    "This tool intentionally returns an error for testing");
                        });
        features.tool(
                        "test_reconnection",
                        "Closes its stream before it answers; the client comes back for the answer",
                        NoInput.class,
                        String.class)
                .handle(
                        (none, call) -> {
                            call.disconnect(Duration.ofMillis(500));
                            Thread.sleep(100);
                            return "Reconnection test completed successfully.";
                        });
    }

    private static String logging(NoInput none, Call call) throws InterruptedException {
        call.log(LoggingLevel.INFO, "Tool execution started");
        Thread.sleep(STEP);
        call.log(LoggingLevel.INFO, "Tool processing data");
        Thread.sleep(STEP);
        call.log(LoggingLevel.INFO, "Tool execution completed");
        return "Logged three messages.";
    }

    private static String progress(NoInput none, Call call) throws InterruptedException {
        call.progress(0, 100);
        Thread.sleep(STEP);
        call.progress(50, 100);
        Thread.sleep(STEP);
        call.progress(100, 100);
        return "Reported progress three times.";
    }

    private static final JsonSchema SCHEMA_2020_12 =
            JsonSchema.parse(
                    """
                    {
                      "$schema": "https://json-schema.org/draft/2020-12/schema",
                      "type": "object",
                      "$defs": {
                        "address": {
                          "$anchor": "addressDef",
                          "type": "object",
                          "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
                        }
                      },
                      "properties": {
                        "name": {"type": "string"},
                        "address": {"$ref": "#/$defs/address"},
                        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
                        "phone": {"type": "string"},
                        "email": {"type": "string"}
                      },
                      "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}, {"required": ["name"]}]}],
                      "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
                      "then": {"required": ["phone"]},
                      "else": {"properties": {"name": {"type": "string"}}},
                      "additionalProperties": false
                    }\
                    """);
}
