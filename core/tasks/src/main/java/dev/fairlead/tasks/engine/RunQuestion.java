package dev.fairlead.tasks.engine;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.JsonWriter;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.platform.Sha256;

import java.nio.charset.StandardCharsets;

/**
 * A question that a run asks its requestor.
 *
 * @param method the method, such as {@code elicitation/create}
 * @param params its parameters, an object
 */
public record RunQuestion(String method, RawJson params) {
    /** Returns its {@linkplain #digest(String, JsonValue) digest}. */
    String digest() {
        return digest(method, params.value());
    }

    /**
     * Returns the digest of a question, which identifies it across runs: it depends neither on the
     * order in which the members of objects were written nor on {@code _meta}, which differs in
     * each run, such as the context of a trace.
     */
    public static String digest(String method, JsonValue params) {
        JsonWriter writer = new JsonWriter().canonical(asked(params));
        byte[] name = (method + " ").getBytes(StandardCharsets.UTF_8);
        return Sha256.of(name, writer.toBytes());
    }

    /** Returns the content of a question: its parameters without {@code _meta}. */
    public static JsonValue asked(JsonValue params) {
        return params instanceof JsonObject object ? object.without("_meta") : params;
    }
}
