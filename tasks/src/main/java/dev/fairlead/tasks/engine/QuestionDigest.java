package dev.fairlead.tasks.engine;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.JsonWriter;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.platform.Sha256;

import java.nio.charset.StandardCharsets;

/**
 * Identifies a question across runs: the SHA-256 of what identifies it. That depends neither on the
 * order in which the members of objects were written nor on {@code _meta}, where interceptors leave
 * what is new for each run, such as the context of a trace.
 */
public final class QuestionDigest {
    private QuestionDigest() {}

    /** The digest of a question. */
    public static String of(String method, RawJson params) {
        return of(method, params.value());
    }

    /** The digest of a question. */
    public static String of(String method, JsonValue params) {
        JsonWriter writer = new JsonWriter().canonical(asked(params));
        byte[] name = (method + " ").getBytes(StandardCharsets.UTF_8);
        return Sha256.of(name, writer.toBytes());
    }

    /** What a question asks: its parameters without {@code _meta}. */
    public static JsonValue asked(JsonValue params) {
        return params instanceof JsonObject object ? object.without("_meta") : params;
    }
}
