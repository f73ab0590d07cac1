package dev.fairlead.jsonrpc;

import dev.fairlead.json.JsonWriter;
import dev.fairlead.json.RawJson;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * The failure of the request with this id.
 *
 * @param id null where the id of the request could not be read; the member is then absent
 */
public record JsonRpcErrorResponse(@Nullable RequestId id, JsonRpcError error)
        implements JsonRpcMessage {
    /** With a code of five digits and its sign. */
    private static final int ENVELOPE =
            "{\"jsonrpc\":\"2.0\",\"id\":,\"error\":{\"code\":-32603,\"message\":\"\",\"data\":}}"
                    .length();

    public JsonRpcErrorResponse {
        Objects.requireNonNull(error, "error");
    }

    @Override
    public int expectedSize() {
        return ENVELOPE
                + (id == null ? 0 : id.size())
                + error.message().length()
                + (error.data() == null ? 0 : RawJson.of(error.data()).size());
    }

    @Override
    public void writeTo(JsonWriter writer) {
        writer.beginObject().name("jsonrpc").string("2.0");
        if (id != null) {
            writer.name("id").value(id.value());
        }
        writer.name("error").beginObject();
        writer.name("code").number(error.code()).name("message").string(error.message());
        if (error.data() != null) {
            writer.name("data").value(error.data());
        }
        writer.endObject().endObject();
    }
}
