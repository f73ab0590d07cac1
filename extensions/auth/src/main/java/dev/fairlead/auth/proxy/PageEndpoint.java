package dev.fairlead.auth.proxy;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.Route;

import java.util.Map;

/** An endpoint for browsers. Pages of other origins can read nothing there. */
final class PageEndpoint {
    /** The service of the endpoint. */
    interface Service {
        void answer(HttpExchange exchange) throws OAuthFailure, InterruptedException;
    }

    private final String method;
    private final Service service;

    private PageEndpoint(String method, Service service) {
        this.method = method;
        this.service = service;
    }

    static Route at(String path, String method, Service service) {
        return new Route(path, new PageEndpoint(method, service)::handle);
    }

    private void handle(HttpExchange exchange) {
        if (!exchange.method().equals(method)) {
            Map<String, String> headers =
                    Map.of("Allow", method, "Connection", "close"); // a body stays unread
            exchange.respond(new ResponseHead(405, headers), new byte[0]);
            return;
        }
        try {
            service.answer(exchange);
        } catch (OAuthFailure failure) {
            HtmlPage.of(failure).show(exchange, failure.headers());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            HtmlPage.of(new OAuthFailure(503, "temporarily_unavailable", "The server is closing"))
                    .show(exchange, Map.of());
        }
    }
}
