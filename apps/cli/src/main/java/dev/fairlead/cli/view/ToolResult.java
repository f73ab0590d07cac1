package dev.fairlead.cli.view;

import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.content.Content;
import dev.fairlead.protocol.content.TextContent;
import dev.fairlead.protocol.tools.CallToolResult;

import java.util.ArrayList;
import java.util.List;

/** The result of a tool as people see it. */
public final class ToolResult {
    private ToolResult() {}

    /**
     * The blocks of content, then the structured content as indented JSON. A text that only repeats
     * the structured content is left out. On a terminal a failure is headed by {@code Failed:}.
     */
    public static List<String> lines(CallToolResult result, Screen screen) {
        List<String> lines = new ArrayList<>();
        if (result.isError() && screen.terminal()) {
            lines.add(screen.styled(Style.RED, "Failed:"));
        }
        Blocks blocks = new Blocks(screen);
        for (Content content : result.content()) {
            if (!repeatsStructured(content, result)) {
                lines.addAll(blocks.lines(content));
            }
        }
        if (result.structuredContent() != null) {
            lines.addAll(IndentedJson.lines(result.structuredContent()));
        }
        return lines;
    }

    private static boolean repeatsStructured(Content content, CallToolResult result) {
        JsonValue structured = result.structuredContent();
        if (structured == null || !(content instanceof TextContent text)) {
            return false;
        }
        try {
            return JsonValue.parseInText(text.text()).equals(structured);
        } catch (JsonException e) {
            return false; // a text of its own
        }
    }
}
