package dev.fairlead.http.endpoint;

import dev.fairlead.http.options.HttpMetrics;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.Route;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.time.LastingLoop;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Reports the health of the server. The figures are not secret, so that neither origin nor host are
 * checked: probes name addresses that clients do not.
 */
public final class HealthRoute {
    private static final Map<String, String> HEADERS =
            Map.of("Content-Type", "application/json", "Cache-Control", "no-store");

    private HealthRoute() {}

    public static Route on(String path, Supplier<HttpMetrics> metrics) {
        return new Route(path, exchange -> handle(exchange, metrics));
    }

    private static void handle(HttpExchange exchange, Supplier<HttpMetrics> metrics) {
        switch (exchange.method()) {
            case "GET", "HEAD" -> report(exchange, metrics.get()); // engines send no body to a HEAD
            default ->
                    exchange.respond(
                            new ResponseHead(405, Map.of("Allow", "GET, HEAD")), new byte[0]);
        }
    }

    private static void report(HttpExchange exchange, HttpMetrics now) {
        String failing = LastingLoop.failing();
        JsonObject health =
                JsonObject.of(
                        "status",
                        now.draining() ? "draining" : failing == null ? "up" : "degraded",
                        "sessions",
                        now.sessions(),
                        "streams",
                        now.streams(),
                        "requests",
                        now.requests());
        JsonObject reported = failing == null ? health : health.with("failing", failing);
        exchange.respond(
                new ResponseHead(now.draining() ? 503 : 200, HEADERS),
                reported.toJson().getBytes(StandardCharsets.UTF_8));
    }
}
