package dev.fairlead.auth.server;

import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.Route;
import dev.fairlead.protocol.Caller;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** An authorization that is made when the port of its server is known. */
final class Later implements HttpAuthorization {
    private static final String METADATA = "/.well-known/oauth-protected-resource";

    private final AtomicReference<ResourceServer> real = new AtomicReference<>();

    void become(ResourceServer authorization) {
        real.set(authorization);
    }

    @Override
    public Decision decide(HttpExchange request) throws InterruptedException {
        return real.get().decide(request);
    }

    @Override
    public String challenge(Caller caller, Set<String> required, String message) {
        return real.get().challenge(caller, required, message);
    }

    @Override
    public List<Route> routes() {
        return List.of(
                new Route(METADATA, this::metadata), new Route(METADATA + "/mcp", this::metadata));
    }

    private void metadata(HttpExchange exchange) {
        real.get().routes().getFirst().handler().handle(exchange);
    }
}
