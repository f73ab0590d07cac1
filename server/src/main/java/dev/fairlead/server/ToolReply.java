package dev.fairlead.server;

import dev.fairlead.json.JsonWriter;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.CallToolResult;

/**
 * What a tool gave. The plain cases are written straight to the wire; as the specification's record
 * they exist only where somebody asks for it.
 */
sealed interface ToolReply {
    CallToolResult result();

    /** A text. */
    record Text(String text) implements ToolReply {
        @Override
        public CallToolResult result() {
            return CallToolResult.text(text);
        }

        RawJson toWire() {
            JsonWriter writer = new JsonWriter().beginObject();
            writeText(writer, text);
            return writer.endObject().finish();
        }
    }

    /** Structured content, an object, with its text (TOOL-014). */
    record Structured(RawJson content) implements ToolReply {
        @Override
        public CallToolResult result() {
            return CallToolResult.text(content.toJson()).withStructuredContent(content.value());
        }

        RawJson toWire() {
            JsonWriter writer = new JsonWriter().beginObject();
            writeText(writer, content.toJson());
            return writer.name("structuredContent").raw(content).endObject().finish();
        }
    }

    /** Any result. */
    record Full(CallToolResult result) implements ToolReply {}

    private static void writeText(JsonWriter writer, String text) {
        writer.name("content").beginArray().beginObject();
        writer.name("type").string("text").name("text").string(text);
        writer.endObject().endArray();
    }
}
