package dev.fairlead.jsonrpc;

import dev.fairlead.json.JsonWriter;
import dev.fairlead.json.RawJson;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * A notification: it has no id and is never answered.
 *
 * @param params an object, or null where there are none
 */
public record JsonRpcNotification(String method, @Nullable RawJson params)
        implements JsonRpcMessage {
    private static final int ENVELOPE =
            "{\"jsonrpc\":\"2.0\",\"method\":\"\",\"params\":}".length();

    public JsonRpcNotification {
        Objects.requireNonNull(method, "method");
    }

    @Override
    public int expectedSize() {
        return ENVELOPE + method.length() + (params == null ? 0 : params.size());
    }

    @Override
    public void writeTo(JsonWriter writer) {
        writer.beginObject().name("jsonrpc").string("2.0").name("method").string(method);
        if (params != null) {
            writer.name("params").raw(params);
        }
        writer.endObject();
    }
}
