package dev.fairlead.auth.proxy;

import dev.fairlead.http.page.HtmlPage;
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
            page(failure).show(exchange, failure.headers());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            page(new OAuthFailure(503, "temporarily_unavailable", "The server is closing"))
                    .show(exchange, Map.of());
        }
    }

    private static HtmlPage page(OAuthFailure failure) {
        return new HtmlPage(
                failure.status(),
                "This login cannot go on",
                "<h1>This login cannot go on</h1><p>"
                        + HtmlPage.escaped(failure.description())
                        + ".</p><p class=\"note\">Go back to the application and start again.</p>");
    }
}
