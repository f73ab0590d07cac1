package dev.fairlead.jsonrpc;

import dev.fairlead.json.JsonValue;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * Why a request failed, as it stands in an error response.
 *
 * @param code a number from {@link ErrorCode}, or any other that the peer chose
 * @param message one short sentence
 * @param data more about it, in a form that depends on the code; null where there is none
 */
public record JsonRpcError(int code, String message, @Nullable JsonValue data) {
    public JsonRpcError {
        Objects.requireNonNull(message, "message");
    }

    public JsonRpcError(int code, String message) {
        this(code, message, null);
    }
}
