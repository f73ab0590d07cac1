package dev.fairlead.jsonrpc;

import dev.fairlead.json.JsonWriter;
import dev.fairlead.json.RawJson;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * A request: it asks for exactly one response with the same id.
 *
 * @param params an object, or null where there are none
 */
public record JsonRpcRequest(RequestId id, String method, @Nullable RawJson params)
        implements JsonRpcMessage {
    /** The length without id, method and parameters, in bytes. */
    private static final int ENVELOPE =
            "{\"jsonrpc\":\"2.0\",\"id\":,\"method\":\"\",\"params\":}".length();

    public JsonRpcRequest {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(method, "method");
    }

    @Override
    public int expectedSize() {
        return ENVELOPE + id.size() + method.length() + (params == null ? 0 : params.size());
    }

    @Override
    public void writeTo(JsonWriter writer) {
        writer.beginObject().name("jsonrpc").string("2.0");
        writer.name("id").value(id.value()).name("method").string(method);
        if (params != null) {
            writer.name("params").raw(params);
        }
        writer.endObject();
    }
}
