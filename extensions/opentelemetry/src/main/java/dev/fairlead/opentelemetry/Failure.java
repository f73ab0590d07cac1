package dev.fairlead.opentelemetry;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ToolFailedException;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;

import org.jspecify.annotations.Nullable;

/**
 * The failure of an operation, without its message, which may quote arguments.
 *
 * @param type the value of {@code error.type}
 * @param code of the JSON-RPC error; null if it was none
 */
record Failure(String type, @Nullable String code) {
    private static final Failure TOOL = new Failure("tool_error", null);

    /** The codes that JSON-RPC keeps for itself and its implementations; a peer may send others. */
    private static final int LOWEST = -32_768;

    private static final int HIGHEST = -32_000;
    private static final String OTHER = "_OTHER";

    static Failure of(Throwable thrown) {
        return switch (thrown) {
            case JsonRpcException error -> ofCode(error.code());
            case ToolFailedException failed -> TOOL;
            case RequestTimeoutException late -> new Failure("timeout", null);
            default -> new Failure(thrown.getClass().getName(), null);
        };
    }

    private static Failure ofCode(int code) {
        String text = code >= LOWEST && code <= HIGHEST ? Integer.toString(code) : OTHER;
        return new Failure(text, text);
    }

    /** Returns how it failed although there is a result; null if it did not. */
    static @Nullable Failure of(Outcome.Complete<?> outcome) {
        return outcome.result() instanceof CallToolResult result && result.isError() ? TOOL : null;
    }

    Attributes attributes() {
        AttributesBuilder all = Attributes.builder().put(Conventions.ERROR, type);
        if (code != null) {
            all.put(Conventions.STATUS, code);
        }
        return all.build();
    }
}
