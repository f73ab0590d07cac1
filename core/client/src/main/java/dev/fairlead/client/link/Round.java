package dev.fairlead.client.link;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.JsonWriter;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.face.PerRequestFace;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The data of a round beside the request itself.
 *
 * @param number of rounds before it, as far as they are known
 * @param waits how often a state came alone, in a row
 * @param answers in the order of the questions; null for none
 * @param state null for none
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr Multi
 *     round-trip requests
 */
public record Round(int number, int waits, @Nullable JsonObject answers, @Nullable String state) {
    public static final Round FIRST = new Round(0, 0, null, null);

    /** Returns a round that a caller sends by hand; the first one if it brings nothing. */
    public static Round of(Map<String, JsonObject> answers, @Nullable String state) {
        if (answers.isEmpty() && state == null) {
            return FIRST;
        }
        Map<String, JsonValue> given = new LinkedHashMap<>();
        answers.forEach((key, answer) -> given.put(key, Objects.requireNonNull(answer, key)));
        return new Round(1, 0, given.isEmpty() ? null : new JsonObject(given), state);
    }

    /** Returns answers as the member of a retry that has them. */
    public static JsonObject member(Map<String, RawJson> answers) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        answers.forEach((key, answer) -> members.put(key, answer.value()));
        return new JsonObject(members);
    }

    public boolean isFirst() {
        return number == 0;
    }

    /** Returns parameters with the additions of this round. */
    public RawJson added(RawJson params) {
        if (answers == null && state == null) {
            return params;
        }
        JsonWriter writer = new JsonWriter().beginObject().members(params);
        if (answers != null) {
            writer.name(PerRequestFace.INPUT_RESPONSES).value(answers);
        }
        if (state != null) {
            writer.name(PerRequestFace.REQUEST_STATE).value(new JsonString(state));
        }
        return writer.endObject().finish();
    }
}
