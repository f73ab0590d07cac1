package dev.fairlead.http.jetty;

import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.Route;
import dev.fairlead.protocol.Caller;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** An authorization whose tokens are the names of those whom it knows. */
final class Names implements HttpAuthorization {
    static final String METADATA = "/.well-known/names";

    /** How often it was asked. */
    final AtomicInteger asked = new AtomicInteger();

    private final Map<String, Caller> known = new ConcurrentHashMap<>();

    static Names of(String... names) {
        Names authorization = new Names();
        for (String name : names) {
            authorization.add(name);
        }
        return authorization;
    }

    void add(String name, String... scopes) {
        known.put("Bearer " + name, Caller.of("https://names", name, "client", Set.of(scopes)));
    }

    void remove(String name) {
        known.remove("Bearer " + name);
    }

    @Override
    public Decision decide(HttpExchange request) {
        asked.incrementAndGet();
        String token = request.header("Authorization").orElse("");
        if (token.equals("Bearer broken")) {
            throw new IllegalStateException("the list of names is lost");
        }
        if (token.startsWith("Bearer later")) {
            return new Decision.Refused(503, Map.of("Retry-After", "5"), "The names are away");
        }
        Caller caller = known.get(token);
        return caller == null
                ? Decision.Refused.unauthorized("Bearer realm=\"names\"", "Who are you?")
                : new Decision.Admitted(caller);
    }

    @Override
    public String challenge(Caller caller, Set<String> required, String message) {
        return "Bearer error=\"insufficient_scope\", scope=\""
                + String.join(" ", required)
                + "\", subject=\""
                + caller.subject()
                + '"';
    }

    @Override
    public List<Route> routes() {
        return List.of(new Route(METADATA, Names::metadata));
    }

    private static void metadata(HttpExchange exchange) {
        exchange.respond(
                new ResponseHead(200, Map.of("Access-Control-Allow-Origin", "*")),
                "{}".getBytes(StandardCharsets.US_ASCII));
    }
}
