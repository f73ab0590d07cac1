package dev.fairlead.auth.proxy;

import dev.fairlead.auth.wire.Origin;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.Route;
import dev.fairlead.json.JsonObject;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * An endpoint to which clients post. It ignores cookies, so pages of any origin may be clients too.
 */
final class ClientEndpoint {
    static final String JSON = "application/json";

    private static final Map<String, String> PREFLIGHT =
            Map.of(
                    "Allow", "POST, OPTIONS",
                    "Access-Control-Allow-Origin", "*",
                    "Access-Control-Allow-Methods", "POST, OPTIONS",
                    "Access-Control-Allow-Headers", "Content-Type, Accept, MCP-Protocol-Version",
                    "Access-Control-Max-Age", "600");

    private static final Map<String, String> NOT_ALLOWED =
            Map.of("Allow", "POST, OPTIONS", "Connection", "close"); // a body stays unread

    private static final Map<String, String> HEADERS =
            Map.of(
                    "Content-Type", "application/json",
                    "Cache-Control", "no-store",
                    "Access-Control-Allow-Origin", "*");

    /** The service of the endpoint. */
    interface Service {
        JsonObject answer(String body, Origin from) throws OAuthFailure;
    }

    private final String mediaType;
    private final int success;
    private final Service service;

    private ClientEndpoint(String mediaType, int success, Service service) {
        this.mediaType = mediaType;
        this.success = success;
        this.service = service;
    }

    /**
     * @param mediaType of the posted body
     * @param success the status of an answer
     */
    static Route at(String path, String mediaType, int success, Service service) {
        return new Route(path, new ClientEndpoint(mediaType, success, service)::handle);
    }

    private void handle(HttpExchange exchange) {
        switch (exchange.method()) {
            case "POST" -> post(exchange);
            case "OPTIONS" -> exchange.respond(new ResponseHead(204, PREFLIGHT), new byte[0]);
            default -> exchange.respond(new ResponseHead(405, NOT_ALLOWED), new byte[0]);
        }
    }

    private void post(HttpExchange exchange) {
        try {
            String body = PostedBody.read(exchange, mediaType);
            respond(exchange, success, HEADERS, service.answer(body, Origin.of(exchange)));
        } catch (OAuthFailure failure) {
            Map<String, String> headers = new HashMap<>(HEADERS);
            headers.putAll(failure.headers());
            respond(
                    exchange,
                    failure.status(),
                    headers,
                    JsonObject.of(
                            "error", failure.code(), "error_description", failure.description()));
        }
    }

    private static void respond(
            HttpExchange exchange, int status, Map<String, String> headers, JsonObject json) {
        exchange.respond(
                new ResponseHead(status, headers),
                json.toString().getBytes(StandardCharsets.UTF_8));
    }
}
