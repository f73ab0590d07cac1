package dev.fairlead.examples;

// @start region="lowlevel"
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A server without records: a tool by its definition, as it stands on the wire, and beside the
 * protocol a method and a notification of its own. Clients reach these two with {@code
 * client.request(…)} and {@code client.notify(…)}.
 */
class Lowlevel {
    static final String TOTAL = "com.example/total";
    static final String RESET = "com.example/reset";

    private static final Tool COUNT_WORDS =
            Tool.builder(
                            "count_words",
                            "Counts the words of a text",
                            JsonSchema.parse(
                                    """
                                    {
                                      "type": "object",
                                      "properties": {
                                        "text": {"type": "string", "maxLength": 100000}
                                      },
                                      "required": ["text"],
                                      "additionalProperties": false
                                    }\
                                    """))
                    .outputSchema(
                            JsonSchema.parse(
                                    """
                                    {
                                      "type": "object",
                                      "properties": {"words": {"type": "integer"}},
                                      "required": ["words"]
                                    }\
                                    """))
                    .build();

    record Total(long words) {}

    static McpServer.Builder server() {
        AtomicLong total = new AtomicLong();
        return McpServer.named("lowlevel", "1.0.0")
                .tool(COUNT_WORDS)
                .handle(
                        (request, call) -> {
                            String text = request.arguments().string("text").strip();
                            long words = text.isEmpty() ? 0 : text.split("\\s+").length;
                            total.addAndGet(words);
                            return CallToolResult.structured(JsonObject.of("words", words));
                        })
                .method(TOTAL, NoInput.class, Total.class)
                .handle((none, call) -> new Total(total.get()))
                .notification(RESET, NoInput.class)
                .handle((none, caller) -> total.set(0));
    }

    public static void main(String[] args) {
        server().build().serve(Place.of(args));
    }
}
// @end
