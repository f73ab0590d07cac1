package dev.fairlead.server.tools;

import dev.fairlead.json.JsonWriter;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.tools.CallToolResult;

/**
 * The reply of a tool. The plain cases are written straight to the wire; as the specification's
 * record they exist only where a caller asks for it.
 */
public sealed interface ToolReply {
    /** The reply of a handler that has parked its task, which is ignored. */
    ToolReply PARKED = of(CallToolResult.of());

    /** The approximate size of a result besides its content. */
    int ENVELOPE = 64;

    /** Returns the record of the specification, or the task that the call became. */
    Outcome<CallToolResult> outcome();

    /** Returns the form of a revision. */
    RawJson toWire(WireFace face);

    /** A text. */
    record Text(String text) implements ToolReply {
        @Override
        public Outcome<CallToolResult> outcome() {
            return Outcome.complete(CallToolResult.text(text));
        }

        @Override
        public RawJson toWire(WireFace face) {
            JsonWriter writer = face.beginResult(text.length() + ENVELOPE);
            writeText(writer, text);
            return writer.endObject().finish();
        }
    }

    /** Structured content, with its JSON as text. */
    record Structured(RawJson content) implements ToolReply {
        @Override
        public Outcome<CallToolResult> outcome() {
            return Outcome.complete(result());
        }

        private CallToolResult result() {
            return CallToolResult.text(content.toJson()).withStructuredContent(content.value());
        }

        @Override
        public RawJson toWire(WireFace face) {
            RawJson structured = face.structuredContent(content);
            if (structured == null) {
                return face.writeResult(Methods.CALL_TOOL, result());
            }
            JsonWriter writer = face.beginResult(3 * structured.size() + ENVELOPE);
            writeText(writer, structured.toJson());
            return writer.name("structuredContent").raw(structured).endObject().finish();
        }
    }

    /** Any outcome, as the specification has it. */
    record Whole(Outcome<CallToolResult> outcome) implements ToolReply {
        @Override
        public RawJson toWire(WireFace face) {
            return face.writeOutcome(Methods.CALL_TOOL, outcome);
        }
    }

    /** Returns the reply that is a result. */
    static ToolReply of(CallToolResult result) {
        return new Whole(Outcome.complete(result));
    }

    private static void writeText(JsonWriter writer, String text) {
        writer.name("content").beginArray().beginObject();
        writer.name("type").string("text").name("text").string(text);
        writer.endObject().endArray();
    }
}
