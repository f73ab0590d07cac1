package dev.fairlead.http.endpoint;

import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.EventStoreException;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Filters the requests of a path: origin and host, the headers for web pages, the caller and its
 * rate, and the allowed methods.
 */
public final class RequestFilter {
    private static final System.Logger LOGGER = System.getLogger(RequestFilter.class.getName());
    private static final String ALLOWED_HEADERS =
            "Content-Type, Accept, Authorization, DPoP, MCP-Session-Id, MCP-Protocol-Version,"
                    + " Mcp-Method, Mcp-Name, Last-Event-ID";

    /** Headers of this kind are allowed by name, as they are asked for. */
    private static final String PARAMETER_HEADER = "mcp-param-";

    private static final int MAX_PARAMETER_HEADERS = 100;

    /** The name of a header. */
    public static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,256}");

    private static final String EXPOSED_HEADERS =
            "MCP-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, WWW-Authenticate,"
                    + " DPoP-Nonce, Retry-After";

    /** Answers the requests of one method. */
    @FunctionalInterface
    public interface Handler {
        void handle(HttpExchange exchange, Reply reply, Caller caller);
    }

    private final EndpointContext context;
    private final Map<String, Handler> handlers;
    private final @Nullable LandingPage page;
    private final String methods;

    /**
     * @param handlers by their methods, in the order of the {@code Allow} header
     */
    public RequestFilter(EndpointContext context, Map<String, Handler> handlers) {
        this(context, handlers, null);
    }

    private RequestFilter(
            EndpointContext context, Map<String, Handler> handlers, @Nullable LandingPage page) {
        this.context = context;
        this.handlers = handlers;
        this.page = page;
        this.methods = String.join(", ", handlers.keySet()) + ", OPTIONS";
    }

    /** Returns a filter that also answers browsers, by a page, where the settings permit it. */
    public RequestFilter withPage() {
        Settings settings = context.settings();
        return settings.page
                ? context.host()
                        .implementation()
                        .map(server -> new LandingPage(server, settings))
                        .map(landing -> new RequestFilter(context, handlers, landing))
                        .orElse(this)
                : this;
    }

    /** Returns whether a request gets the page. */
    public boolean answersByPage(HttpExchange exchange) {
        return page != null && LandingPage.isAskedBy(exchange);
    }

    /** Answers one HTTP request. */
    public void handle(HttpExchange exchange) {
        Reply reply = reply(exchange);
        guarded(reply, () -> admit(exchange, reply));
    }

    /**
     * Answers a request in a session that another node has admitted, and forwards.
     *
     * @param caller as that node has determined
     */
    public void handleAdmitted(HttpExchange exchange, Caller caller) {
        Reply reply = reply(exchange);
        HttpAuthorization authorization = context.settings().authorization;
        if (authorization != null) {
            reply.challenging(
                    caller, (scopes, message) -> authorization.challenge(caller, scopes, message));
        }
        guarded(
                reply,
                () -> {
                    allowOrigin(exchange, reply);
                    context.rates().request(reply.source(caller));
                    route(exchange, reply, caller);
                });
    }

    private Reply reply(HttpExchange exchange) {
        Reply reply = new Reply(exchange, context.counters(), context.open()::isClosed);
        return reply.header("Vary", "Origin");
    }

    private void admit(HttpExchange exchange, Reply reply) {
        context.guard().check(exchange);
        allowOrigin(exchange, reply);
        if (exchange.method().equals("OPTIONS")) { // browsers send no token with it
            context.rates().request(reply.source(Caller.anonymous()));
            options(exchange, reply);
            return;
        }
        context.admission()
                .admit(exchange, reply)
                .ifPresent(caller -> route(exchange, reply, caller));
    }

    /** Runs a part of an answer; a failure of it becomes the answer. */
    public static void guarded(Reply reply, Runnable part) {
        try {
            part.run();
        } catch (HttpRefusalException e) {
            reply.refuse(e);
        } catch (EventStoreException e) {
            LimitedLog.failed(
                    LOGGER, System.Logger.Level.WARNING, "", e, "An HTTP request was refused");
            reply.refuse(
                    new HttpRefusalException(
                            RefusalReason.STORE,
                            "The server cannot keep sessions and events just now"));
        } catch (RuntimeException e) {
            LimitedLog.failed(LOGGER, System.Logger.Level.ERROR, "", e, "An HTTP request failed");
            reply.failed();
        }
    }

    /** A session as a client names it, so that callers that name the same one share nothing. */
    private record NamedSession(Object source, String id) {}

    private void route(HttpExchange exchange, Reply reply, Caller caller) {
        Object source = reply.source(caller).caller();
        Object session =
                Reply.sessionId(exchange)
                        .<Object>map(id -> new NamedSession(source, id))
                        .orElse(reply);
        reply.counted(context.waiting().share(source, session));
        if (page != null && LandingPage.isAskedBy(exchange)) {
            page.answer(exchange, reply);
            return;
        }
        if (exchange.method().equals("GET") && hasBody(exchange)) {
            // it would stay in memory for as long as the stream, which may be days
            reply.header("Connection", "close");
            throw new HttpRefusalException(
                    RefusalReason.MALFORMED, "A request with the method GET must have no body");
        }
        Handler handler = handlers.get(exchange.method());
        if (handler != null) {
            handler.handle(exchange, reply, caller);
        } else {
            reply.header("Allow", methods);
            throw new HttpRefusalException(RefusalReason.METHOD, "The methods here are " + methods);
        }
    }

    /** Some proxies send a chunked body without a chunk, which is none. */
    private static boolean hasBody(HttpExchange exchange) {
        if (exchange.header("Transfer-Encoding").isEmpty()) {
            return exchange.contentLength() > 0;
        }
        try {
            return exchange.body().read() >= 0;
        } catch (IOException e) {
            return true;
        }
    }

    /** Lets a page read the answer whose origin has passed the guard. */
    private static void allowOrigin(HttpExchange exchange, Reply reply) {
        exchange.header("Origin")
                .ifPresent(
                        origin ->
                                reply.header("Access-Control-Allow-Origin", origin)
                                        .header("Access-Control-Expose-Headers", EXPOSED_HEADERS));
    }

    /** The headers that are allowed, with those for parameters of tools that the page asks for. */
    private String allowedHeaders(HttpExchange exchange) {
        return Stream.concat(
                        Stream.concat(
                                Stream.of(ALLOWED_HEADERS),
                                context.settings().allowHeaders.stream()),
                        exchange.headers("Access-Control-Request-Headers").stream()
                                .flatMap(list -> Stream.of(list.split(",", -1)))
                                .map(String::strip)
                                .filter(RequestFilter::isParameterHeader)
                                .limit(MAX_PARAMETER_HEADERS))
                .collect(Collectors.joining(", "));
    }

    private static boolean isParameterHeader(String name) {
        return name.toLowerCase(Locale.ROOT).startsWith(PARAMETER_HEADER)
                && TOKEN.matcher(name).matches();
    }

    private void options(HttpExchange exchange, Reply reply) {
        reply.header("Allow", methods);
        if (exchange.header("Access-Control-Request-Method").isPresent()) {
            reply.header("Access-Control-Allow-Methods", methods)
                    .header("Access-Control-Allow-Headers", allowedHeaders(exchange))
                    .header("Access-Control-Max-Age", "600");
        }
        reply.empty(204);
    }
}
