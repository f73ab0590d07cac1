package dev.fairlead.http.streamable;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.json.JsonString;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.protocol.HeaderMismatch;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.headers.MirroredHeaders;
import dev.fairlead.protocol.versioning.RequestMeta;

import java.util.List;
import java.util.Optional;

/**
 * Compares the headers that repeat values of the body of a request with the body. They decide
 * nothing here, but must agree with it. Those that repeat arguments of a tool are compared by the
 * server, which knows its tools.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 *     Streamable HTTP
 */
final class HeaderCheck {
    private HeaderCheck() {}

    /** Returns the mismatch of the header of the revision; empty if it agrees with the body. */
    static Optional<String> versionMismatch(RequestMeta meta, HttpExchange exchange) {
        return mismatch(exchange, MirroredHeaders.VERSION, meta.protocolVersion());
    }

    /** Returns the mismatch of the other headers; empty if they agree with the body. */
    static Optional<String> targetMismatch(JsonRpcRequest request, HttpExchange exchange) {
        Optional<String> method = mismatch(exchange, MirroredHeaders.METHOD, request.method());
        return method.isPresent() ? method : nameMismatch(request, exchange);
    }

    private static Optional<String> mismatch(
            HttpExchange exchange, String header, String expected) {
        List<String> values = exchange.headers(header);
        if (values.size() != 1) {
            return Optional.of(
                    header + (values.isEmpty() ? " is missing" : " is there several times"));
        }
        String value = values.get(0).strip();
        return value.equals(expected)
                ? Optional.empty()
                : Optional.of(
                        header
                                + " is "
                                + Printable.excerpt(value)
                                + ", but the body has "
                                + Printable.excerpt(expected));
    }

    private static Optional<String> nameMismatch(JsonRpcRequest request, HttpExchange exchange) {
        Optional<String> member = MirroredHeaders.nameMember(request.method());
        if (member.isEmpty()) {
            return Optional.empty();
        }
        String name = MirroredHeaders.name(request);
        return HeaderMismatch.find(
                MirroredHeaders.NAME,
                exchange.headers(MirroredHeaders.NAME),
                name == null ? null : new JsonString(name),
                member.get());
    }
}
