package dev.fairlead.http.streamable;

import dev.fairlead.http.session.HttpSession;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.protocol.HeaderMismatch;
import dev.fairlead.protocol.versioning.RequestMeta;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The headers that repeat what the body of a request says, so that proxies need not read it. They
 * decide nothing here, but must agree with the body. Those that repeat arguments of a tool are
 * compared by the server, which knows its tools.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 *     Streamable HTTP
 */
final class MirroredHeaders {
    private static final String METHOD = "Mcp-Method";
    private static final String NAME = "Mcp-Name";

    /** The member of the parameters that {@code Mcp-Name} repeats. */
    private static final Map<String, String> NAMES =
            Map.of(
                    "tools/call", "name",
                    "prompts/get", "name",
                    "resources/read", "uri",
                    "tasks/get", "taskId",
                    "tasks/update", "taskId",
                    "tasks/cancel", "taskId");

    private MirroredHeaders() {}

    /** Returns what is wrong with the headers of a request; empty if they agree with its body. */
    static Optional<String> mismatch(
            JsonRpcRequest request, RequestMeta meta, HttpExchange exchange) {
        return mismatch(exchange, HttpSession.VERSION, meta.protocolVersion())
                .or(() -> mismatch(exchange, METHOD, request.method()))
                .or(() -> nameMismatch(request, exchange));
    }

    private static Optional<String> mismatch(
            HttpExchange exchange, String header, String expected) {
        List<String> values = exchange.headers(header);
        if (values.size() != 1) {
            return Optional.of(
                    header + (values.isEmpty() ? " is missing" : " is there several times"));
        }
        return values.get(0).strip().equals(expected)
                ? Optional.empty()
                : Optional.of(header + " differs from the body");
    }

    private static Optional<String> nameMismatch(JsonRpcRequest request, HttpExchange exchange) {
        String member = NAMES.get(request.method());
        if (member == null) {
            return Optional.empty();
        }
        return HeaderMismatch.find(
                NAME, exchange.headers(NAME), text(request.params(), member), member);
    }

    /** Without a name in the body its parameters are refused. */
    private static @Nullable JsonString text(@Nullable RawJson params, String member) {
        try {
            RawJson value = params == null ? null : params.member(member);
            return value != null && value.value() instanceof JsonString text ? text : null;
        } catch (JsonException e) { // the handler refuses it
            return null;
        }
    }
}
