package dev.fairlead.jsonrpc;

import dev.fairlead.json.JsonWriter;
import dev.fairlead.json.RawJson;

import java.util.Objects;

/**
 * The result of the request with this id.
 *
 * @param result always an object
 */
public record JsonRpcResponse(RequestId id, RawJson result) implements JsonRpcMessage {
    private static final int ENVELOPE = "{\"jsonrpc\":\"2.0\",\"id\":,\"result\":}".length();

    public JsonRpcResponse {
        Objects.requireNonNull(id, "id");
        if (!result.isObject()) {
            throw new IllegalArgumentException("a result must be an object");
        }
    }

    @Override
    public int expectedSize() {
        return ENVELOPE + id.size() + result.size();
    }

    @Override
    public void writeTo(JsonWriter writer) {
        writer.beginObject().name("jsonrpc").string("2.0");
        writer.name("id").value(id.value()).name("result").raw(result).endObject();
    }
}
