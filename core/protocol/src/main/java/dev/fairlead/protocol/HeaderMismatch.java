package dev.fairlead.protocol;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonBoolean;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.protocol.base.McpErrorCode;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/**
 * Compares HTTP headers with the values of the body that they repeat.
 *
 * @spec
 *     https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation
 *     Server validation
 */
public final class HeaderMismatch {
    private HeaderMismatch() {}

    /** Returns the error of a request whose headers differ from its body: {@code -32020}. */
    public static JsonRpcError error(String reason) {
        return new JsonRpcError(
                McpErrorCode.HEADER_MISMATCH,
                "Header mismatch: " + reason,
                JsonObject.of("reason", "header_mismatch"));
    }

    /**
     * Returns a description of the mismatch of a header whose value {@link HeaderText} encodes;
     * empty if it repeats the body. Numbers are compared as numbers: {@code 42.0} equals {@code
     * 42}. An object or array has no form as a header and needs none.
     *
     * @param values all values of the header
     * @param expected the value of the body; null, or {@link JsonNull}, if it has none
     * @param member the member of the body in messages
     */
    public static Optional<String> find(
            String header, List<String> values, @Nullable JsonValue expected, String member) {
        if (values.size() > 1) {
            return Optional.of(header + " is there several times");
        }
        if (values.isEmpty()) {
            boolean needed =
                    expected instanceof JsonString
                            || expected instanceof JsonNumber
                            || expected instanceof JsonBoolean;
            return needed ? Optional.of(header + " is missing") : Optional.empty();
        }
        Optional<String> text = HeaderText.decode(values.get(0).strip());
        if (text.isEmpty()) {
            return Optional.of(header + " is encoded wrongly");
        }
        if (expected == null || expected instanceof JsonNull) {
            return Optional.of(header + " has a value, but " + member + " in the body has none");
        }
        return repeats(text.get(), expected)
                ? Optional.empty()
                : Optional.of(header + " differs from " + member + " in the body");
    }

    private static boolean repeats(String text, JsonValue expected) {
        return switch (expected) {
            case JsonString string -> text.equals(string.value());
            case JsonBoolean flag -> text.equals(String.valueOf(flag.value()));
            case JsonNumber number -> number.equals(number(text));
            case JsonObject object -> false;
            case JsonArray array -> false;
            case JsonNull nothing -> false;
        };
    }

    private static @Nullable JsonValue number(String text) {
        try {
            return JsonValue.parse(text);
        } catch (JsonException e) {
            return null;
        }
    }
}
