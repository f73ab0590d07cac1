package dev.fairlead.console.pages;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;
import dev.fairlead.json.JsonObject;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Answers to requests of pages. Each has the content policy. */
public final class Answers {
    /**
     * The content policy of the pages of the console: nothing comes from elsewhere. Frames of this
     * origin show the sandbox alone, since every other page refuses to be framed.
     */
    public static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src"
                    + " 'self' data:; media-src data:; frame-src 'self'; frame-ancestors 'none';"
                    + " base-uri 'none'; form-action 'none'";

    /**
     * The content policy of the frame in which pages of servers run: an origin of its own, so that
     * it reaches neither the console nor its cookie, and no network.
     */
    static final String SANDBOX_POLICY =
            "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src"
                    + " 'unsafe-inline'; img-src data:; media-src data:; font-src data:;"
                    + " frame-ancestors 'self'; base-uri 'none'; form-action 'none'";

    private Answers() {}

    /** Returns the headers that all answers have, and these. */
    static List<String> headers(String... more) {
        return headersWith(POLICY, more);
    }

    /** Returns the headers with another content policy. */
    static List<String> headersWith(String policy, String... more) {
        List<String> headers =
                new ArrayList<>(
                        List.of(
                                "Content-Security-Policy",
                                policy,
                                "X-Content-Type-Options",
                                "nosniff",
                                "Referrer-Policy",
                                "no-referrer",
                                "Cross-Origin-Opener-Policy",
                                "same-origin",
                                "Cross-Origin-Resource-Policy",
                                "same-origin"));
        headers.addAll(List.of(more));
        return headers;
    }

    /** Returns whether a request has one of these methods; otherwise it is answered. */
    public static boolean allows(HttpExchange exchange, String... methods) {
        if (List.of(methods).contains(exchange.method())) {
            return true;
        }
        exchange.respond(
                ResponseHead.of(405, headers("Allow", String.join(", ", methods))), new byte[0]);
        return false;
    }

    /**
     * Returns whether a page of this console sent a write, as its origin and the form of its body
     * show; otherwise it is answered.
     */
    public static boolean isOwnPage(HttpExchange exchange) {
        String own = exchange.scheme() + "://" + exchange.host().orElse("");
        boolean ofPage =
                exchange.headers("Origin").equals(List.of(own))
                        && exchange.header("Content-Type")
                                .map(type -> type.toLowerCase(Locale.ROOT))
                                .filter(type -> type.startsWith("application/json"))
                                .isPresent();
        if (!ofPage) {
            refused(exchange, 403, "Only the page of this console may send this");
        }
        return ofPage;
    }

    /** Answers like a path that is not served. */
    public static void nothing(HttpExchange exchange) {
        exchange.respond(ResponseHead.of(404, List.of()), new byte[0]);
    }

    /** Sends a browser to another path of this server. */
    public static void redirect(HttpExchange exchange, String path) {
        exchange.respond(
                ResponseHead.of(308, headers("Location", exchange.prefix() + path)), new byte[0]);
    }

    /** Answers a request without a login. */
    public static void unknownPerson(HttpExchange exchange, String login) {
        json(exchange, 401, JsonObject.of("message", "Log in", "login", login));
    }

    /** Answers with a message for the page. */
    public static void refused(HttpExchange exchange, int status, String message) {
        json(exchange, status, JsonObject.of("message", message));
    }

    /** Answers with one JSON text, and these headers. */
    public static void json(HttpExchange exchange, int status, JsonObject body, String... more) {
        List<String> headers =
                headers("Content-Type", "application/json", "Cache-Control", "no-store");
        headers.addAll(List.of(more));
        exchange.respond(
                ResponseHead.of(status, headers), body.toJson().getBytes(StandardCharsets.UTF_8));
    }

    /** Answers a login with the token of writes, which no other answer contains. */
    public static void loggedIn(HttpExchange exchange, String cookie, String token) {
        json(exchange, 200, JsonObject.of("token", token), "Set-Cookie", cookie);
    }

    /** Answers a logout. */
    public static void loggedOut(HttpExchange exchange, String cookie) {
        exchange.respond(
                ResponseHead.of(204, headers("Set-Cookie", cookie, "Cache-Control", "no-store")),
                new byte[0]);
    }

    /** Begins a stream of events. */
    public static ResponseStream events(HttpExchange exchange) {
        return exchange.stream(
                ResponseHead.of(
                        200,
                        headers(
                                "Content-Type",
                                "text/event-stream",
                                "Cache-Control",
                                "no-store",
                                "X-Accel-Buffering",
                                "no")));
    }
}
