package dev.fairlead.http.endpoint;

import dev.fairlead.http.console.HttpConsole;
import dev.fairlead.http.exchange.DelegatingHttpExchange;
import dev.fairlead.http.exchange.PacedBody;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.Route;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * The routes of a console. Pages of other sites, and names that were rebound to this machine, are
 * refused as at the endpoint.
 */
public final class GuardedConsole {
    private GuardedConsole() {}

    /** Returns the routes with the checks of these settings. */
    public static List<Route> of(HttpConsole.Mounted console, Settings settings) {
        Guard guard = new Guard(settings.allowOrigins, settings.allowHosts);
        return console.routes().stream()
                .map(
                        route ->
                                new Route(
                                        route.path(),
                                        exchange -> serve(route, guard, settings, exchange)))
                .toList();
    }

    private static void serve(Route route, Guard guard, Settings settings, HttpExchange exchange) {
        try {
            guard.check(exchange);
        } catch (HttpRefusalException e) {
            HttpRefusal refusal = e.refusal();
            exchange.respond(
                    new ResponseHead(
                            refusal.reason().status(),
                            Map.of("Content-Type", "text/plain; charset=utf-8")),
                    refusal.message().getBytes(StandardCharsets.UTF_8));
            return;
        }
        InputStream body =
                new PacedBody(exchange.body(), settings.clientTimeout::toNanos, System::nanoTime);
        route.handler()
                .handle(
                        new DelegatingHttpExchange(exchange) {
                            @Override
                            public InputStream body() {
                                return body;
                            }
                        });
    }
}
