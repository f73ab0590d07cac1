package dev.fairlead.auth.wire;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.Route;
import dev.fairlead.json.JsonObject;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A document that is the same for all clients, so that pages of any origin may read it. */
public final class PublicDocument {
    private static final Map<String, String> HEADERS =
            Map.of(
                    "Content-Type", "application/json",
                    "Cache-Control", "public, max-age=300",
                    "Access-Control-Allow-Origin", "*");

    private static final Map<String, String> PREFLIGHT =
            Map.of(
                    "Allow", "GET, HEAD, OPTIONS",
                    "Access-Control-Allow-Origin", "*",
                    "Access-Control-Allow-Methods", "GET, HEAD, OPTIONS",
                    "Access-Control-Allow-Headers", "MCP-Protocol-Version",
                    "Access-Control-Max-Age", "600");

    private final byte[] bytes;

    /** Creates a document with this content. */
    public PublicDocument(JsonObject json) {
        bytes = json.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Publishes it at a path. */
    public Route at(String path) {
        return new Route(path, this::handle);
    }

    private void handle(HttpExchange exchange) {
        switch (exchange.method()) {
            case "GET", "HEAD" -> exchange.respond(new ResponseHead(200, HEADERS), bytes);
            case "OPTIONS" -> exchange.respond(new ResponseHead(204, PREFLIGHT), new byte[0]);
            default -> exchange.respond(new ResponseHead(405, PREFLIGHT), new byte[0]);
        }
    }
}
