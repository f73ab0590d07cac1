package dev.fairlead.console.workbench;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Cuts a value from a server to a size that a page can show: texts end early, members and elements
 * behind the limit are left out, and an image or sound that does not fit is empty.
 */
final class Cut {
    /** The most characters of one value. */
    static final int MAX = 2 << 20;

    /** Characters that a value takes beside its text. */
    private static final int FRAME = 4;

    private int left;
    private boolean cut;

    private Cut(int max) {
        this.left = max;
    }

    /**
     * Adds a value under a name to an event; where it was cut, also the limit in KiB as {@code
     * cut}.
     */
    static JsonObject into(JsonObject event, String name, JsonValue value) {
        return into(event, name, value, MAX);
    }

    static JsonObject into(JsonObject event, String name, JsonValue value, int max) {
        Cut cut = new Cut(max);
        JsonObject with = event.with(name, cut.of(value));
        return cut.cut ? with.with("cut", max >> 10) : with;
    }

    private JsonValue of(JsonValue value) {
        left -= FRAME;
        return switch (value) {
            case JsonString text -> text(text);
            case JsonArray array -> array(array);
            case JsonObject object -> object(object);
            default -> value;
        };
    }

    private JsonString text(JsonString text) {
        int length = text.value().length();
        if (length <= left) {
            left -= length;
            return text;
        }
        cut = true;
        int end = Math.max(0, left);
        left = 0;
        if (end > 0 && Character.isHighSurrogate(text.value().charAt(end - 1))) {
            end--;
        }
        return new JsonString(text.value().substring(0, end));
    }

    private JsonArray array(JsonArray array) {
        List<JsonValue> kept = new ArrayList<>();
        for (JsonValue element : array.elements()) {
            if (left <= 0) {
                cut = true;
                break;
            }
            kept.add(of(element));
        }
        return new JsonArray(kept);
    }

    private JsonObject object(JsonObject object) {
        Map<String, JsonValue> kept = new LinkedHashMap<>();
        for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
            left -= member.getKey().length();
            if (left <= 0) {
                cut = true;
                break;
            }
            kept.put(member.getKey(), member(member.getKey(), member.getValue()));
        }
        return new JsonObject(kept);
    }

    /** Cuts a member; a part of Base64 is of no use. */
    private JsonValue member(String name, JsonValue value) {
        if ((name.equals("data") || name.equals("blob"))
                && value instanceof JsonString bytes
                && bytes.value().length() > left) {
            cut = true;
            return new JsonString("");
        }
        return of(value);
    }
}
