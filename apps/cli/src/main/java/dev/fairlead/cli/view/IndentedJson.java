package dev.fairlead.cli.view;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Printable;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** JSON over several lines, for people. */
public final class IndentedJson {
    private final List<String> lines = new ArrayList<>();
    private final StringBuilder line = new StringBuilder();

    private IndentedJson() {}

    /** The lines, fit to be printed. */
    public static List<String> lines(JsonValue value) {
        IndentedJson json = new IndentedJson();
        json.write(value, 0);
        json.endLine(0);
        return json.lines;
    }

    private void write(JsonValue value, int depth) {
        switch (value) {
            case JsonObject object when !object.isEmpty() -> {
                line.append('{');
                for (var members = object.members().entrySet().iterator(); members.hasNext(); ) {
                    Map.Entry<String, JsonValue> member = members.next();
                    endLine(depth + 1);
                    line.append(JsonValue.of(member.getKey()).toJson()).append(": ");
                    write(member.getValue(), depth + 1);
                    separate(members);
                }
                endLine(depth);
                line.append('}');
            }
            case JsonArray array when array.size() > 0 -> {
                line.append('[');
                for (Iterator<JsonValue> elements = array.iterator(); elements.hasNext(); ) {
                    endLine(depth + 1);
                    write(elements.next(), depth + 1);
                    separate(elements);
                }
                endLine(depth);
                line.append(']');
            }
            default -> line.append(value.toJson());
        }
    }

    private void separate(Iterator<?> rest) {
        if (rest.hasNext()) {
            line.append(',');
        }
    }

    private void endLine(int depth) {
        lines.add(Printable.text(line.toString()));
        line.setLength(0);
        line.append("  ".repeat(depth));
    }
}
