package dev.fairlead.http.streamable;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.protocol.HeaderMismatch;
import dev.fairlead.protocol.headers.MirroredHeaders;
import dev.fairlead.protocol.versioning.RequestMeta;

import java.util.List;
import java.util.Optional;

/**
 * Compares the headers that repeat what the body of a request says with the body. They decide
 * nothing here, but must agree with it. Those that repeat arguments of a tool are compared by the
 * server, which knows its tools.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 *     Streamable HTTP
 */
final class HeaderCheck {
    private HeaderCheck() {}

    /** Returns what is wrong with the headers of a request; empty if they agree with its body. */
    static Optional<String> mismatch(
            JsonRpcRequest request, RequestMeta meta, HttpExchange exchange) {
        return mismatch(exchange, MirroredHeaders.VERSION, meta.protocolVersion())
                .or(() -> mismatch(exchange, MirroredHeaders.METHOD, request.method()))
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
        return MirroredHeaders.nameMember(request.method())
                .flatMap(
                        member ->
                                HeaderMismatch.find(
                                        MirroredHeaders.NAME,
                                        exchange.headers(MirroredHeaders.NAME),
                                        MirroredHeaders.name(request).orElse(null),
                                        member));
    }
}
