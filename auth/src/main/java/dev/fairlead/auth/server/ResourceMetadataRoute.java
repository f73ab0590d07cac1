package dev.fairlead.auth.server;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.Route;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Tells whom to ask for tokens (RFC 9728). It is the same for everybody, so that pages of any
 * origin may read it (AUTH-069).
 */
final class ResourceMetadataRoute {
    private static final String ROOT = "/.well-known/oauth-protected-resource";

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

    private final byte[] document;

    private ResourceMetadataRoute(JsonObject document) {
        this.document = document.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Below the root and where the path of the resource is inserted (ROOM-082). */
    static List<Route> of(URI resource, Collection<String> issuers, Collection<String> scopes) {
        JsonObject document =
                JsonObject.of(
                        "resource", resource.toString(),
                        "authorization_servers", array(issuers),
                        "bearer_methods_supported", array(List.of("header")));
        if (!scopes.isEmpty()) {
            document = document.with("scopes_supported", array(scopes));
        }
        ResourceMetadataRoute route = new ResourceMetadataRoute(document);
        return Stream.of(path(resource), ROOT)
                .distinct()
                .map(path -> new Route(path, route::handle))
                .toList();
    }

    /** Where it is announced. */
    static String url(URI resource) {
        return resource.getScheme() + "://" + resource.getRawAuthority() + path(resource);
    }

    private static String path(URI resource) {
        String path = resource.getRawPath();
        return path.equals("/") ? ROOT : ROOT + path;
    }

    private static JsonArray array(Collection<String> texts) {
        return new JsonArray(texts.stream().map(JsonValue::of).toList());
    }

    private void handle(HttpExchange exchange) {
        switch (exchange.method()) {
            case "GET", "HEAD" -> exchange.respond(new ResponseHead(200, HEADERS), document);
            case "OPTIONS" -> exchange.respond(new ResponseHead(204, PREFLIGHT), new byte[0]);
            default -> exchange.respond(new ResponseHead(405, PREFLIGHT), new byte[0]);
        }
    }
}
