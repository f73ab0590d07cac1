package dev.fairlead.proofs.attack;

import static dev.fairlead.test.support.ScriptedHttp.respond;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.fairlead.auth.Secret;
import dev.fairlead.auth.proxy.AuthorizationProxy;
import dev.fairlead.auth.proxy.Upstream;
import dev.fairlead.gateway.Gateway;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.support.RawSession;
import dev.fairlead.test.support.ScriptedHttp;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Somebody sends texts whose member names were chosen to fill the name table of the JSON parser,
 * after which the process refused the texts of all others: an anonymous client its messages, a
 * client of an authorization proxy its registrations, a server behind a gateway its responses.
 */
@Tag("proof")
@Timeout(900)
class MemberNamesAttackTest {
    private static final int ATTEMPTS = 100; // 134 were the most that were needed
    private static final int REGISTRATION = 300; // names; 16 KiB are taken

    @Test
    void messagesOfOthersAreReadAfterNamesThatCollide() throws IOException {
        InetAddress here = InetAddress.getByName("127.0.0.1");
        try (McpServer server = McpServer.named("attacked", "1").build()) {
            int port = server.serve(Http.port(0)).port();
            RawSession attacker = RawSession.open(port);
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                assertThat(attacker.post(object(many(attempt))).body()).contains("-32600");
                assertThat(attacker.post(object(colliding(attempt))).body()).contains("-32600");
                assertThat(RawSession.initialize(port, here).status()).isEqualTo(200);
            }
        }
    }

    @Test
    void registrationsOfOthersAreReadAfterNamesThatCollide() throws Exception {
        try (McpServer server = McpServer.named("attacked", "1").build();
                HttpServing serving =
                        server.serve(Http.port(0).withoutRates().authorization(proxy()));
                HttpClient http = HttpClient.newHttpClient()) {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                for (Set<String> names : parts(many(attempt))) {
                    assertThat(register(http, serving, object(names)).statusCode()).isEqualTo(400);
                }
                for (Set<String> names : parts(colliding(attempt))) {
                    assertThat(register(http, serving, object(names)).statusCode()).isEqualTo(400);
                }
                HttpResponse<String> other =
                        register(
                                http,
                                serving,
                                "{\"redirect_uris\":[\"https://desk.example/back\"],\"other%s\":0}"
                                        .formatted(attempt));
                assertThat(other.body()).contains("\"client_id\"");
            }
        }
    }

    private static AuthorizationProxy proxy() {
        URI login = URI.create("https://login.example/"); // no registration calls it
        return AuthorizationProxy.at("https://attacked.example/mcp")
                .upstream(
                        Upstream.of(login.resolve("authorize"), login.resolve("token"))
                                .client("attacked", Secret.from(() -> "secret"))
                                .user(login.resolve("user"), "id"));
    }

    private static HttpResponse<String> register(HttpClient http, HttpServing serving, String body)
            throws Exception {
        return http.send(
                HttpRequest.newBuilder(serving.uri().resolve("/register"))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    /** The names in so many texts that each fits into a registration. */
    private static List<Set<String>> parts(Set<String> names) {
        List<String> all = List.copyOf(names);
        List<Set<String>> parts = new ArrayList<>();
        for (int start = 0; start < all.size(); start += REGISTRATION) {
            int end = Math.min(all.size(), start + REGISTRATION);
            parts.add(new LinkedHashSet<>(all.subList(start, end)));
        }
        return parts;
    }

    @Test
    void serversBehindAGatewayAreReadAfterNamesOfOneThatCollide() throws Exception {
        HttpServer hostile = hostile();
        URI address = URI.create("http://127.0.0.1:" + hostile.getAddress().getPort() + "/mcp");
        try (McpServer good =
                        McpServer.named("good", "1")
                                .tool("greet", "Greets", NoInput.class, String.class)
                                .handle((none, call) -> "hello")
                                .build();
                HttpServing serving = good.serve(Http.port(0).withoutRates());
                Gateway gateway =
                        Gateway.named("gateway", "1")
                                .server("hostile", Http.to(address))
                                .server("good", Http.to(serving.uri()))
                                .maxSessions(ATTEMPTS + 2)
                                .build();
                HttpServing front = gateway.serve(Http.port(0).withoutRates())) {
            RawSession attacker = RawSession.open(front.port());
            RawSession before = RawSession.open(front.port());
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                assertThat(attacker.post(RawSession.call(attempt, "attack")).body())
                        .as("a response with other names")
                        .contains("\"result\"");
                assertThat(before.post(ping(attempt)).body()).contains("\"result\"");
                assertThat(before.post(RawSession.call(3, "greet")).body()).contains("hello");
                RawSession after = RawSession.open(front.port());
                assertThat(after.post(RawSession.call(1, "greet")).body()).contains("hello");
            }
        } finally {
            hostile.stop(0);
        }
    }

    /** A ping with names that no other text has. */
    private static String ping(int attempt) {
        Set<String> names = new LinkedHashSet<>();
        for (int i = 0; i < 100; i++) {
            names.add("other" + attempt + "_" + i);
        }
        return "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\",\"params\":{\"_meta\":"
                + object(names)
                + "}}";
    }

    /** A server that answers each call with many names and then with names that collide. */
    private static HttpServer hostile() throws IOException {
        AtomicInteger calls = new AtomicInteger();
        HttpServer server = ScriptedHttp.create();
        server.createContext("/mcp", exchange -> answer(exchange, calls));
        server.start();
        return server;
    }

    private static void answer(HttpExchange exchange, AtomicInteger calls) throws IOException {
        String request = ScriptedHttp.body(exchange);
        try (exchange) {
            if (!exchange.getRequestMethod().equals("POST")) {
                exchange.sendResponseHeaders(405, -1);
            } else if (!request.contains("\"id\"")) {
                exchange.sendResponseHeaders(202, -1);
            } else {
                respond(exchange, 200, "text/event-stream", events(request, calls));
            }
        }
    }

    private static String events(String request, AtomicInteger calls) {
        String id = request.replaceFirst("(?s).*\"id\":(\"[^\"]*\"|\\d+).*", "$1");
        if (request.contains("\"initialize\"")) {
            return response(
                    id,
                    "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
                            + "\"serverInfo\":{\"name\":\"hostile\",\"version\":\"1\"}}");
        }
        if (request.contains("tools/list")) {
            return response(
                    id,
                    "{\"tools\":[{\"name\":\"attack\",\"inputSchema\":{\"type\":\"object\"}}]}");
        }
        if (!request.contains("tools/call")) {
            return response(id, "{}");
        }
        int call = calls.getAndIncrement();
        return event("{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":" + object(many(call)) + "}")
                + response(id, "{\"content\":[],\"_meta\":" + object(colliding(call)) + "}");
    }

    private static String response(String id, String result) {
        return event("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}");
    }

    private static String event(String message) {
        return "data: " + message + "\n\n";
    }

    private static String object(Set<String> names) {
        return "{\"" + String.join("\":0,\"", names) + "\":0}";
    }

    /** Returns more names than a shared table takes before it is emptied. */
    private static Set<String> many(int attempt) {
        Set<String> names = new LinkedHashSet<>();
        for (int i = 0; i < 6_600; i++) {
            names.add("m" + attempt + "_" + i);
        }
        return names;
    }

    /** Names with the same groups of four bytes in another order: Jackson adds them up. */
    private static Set<String> colliding(int attempt) {
        Random random = new Random(attempt);
        List<String> groups = new ArrayList<>(List.of("aaaa", "bbbb", "cccc", "dddd"));
        groups.addAll(List.of("eeee", "ffff", "gggg", "hhhh"));
        Set<String> names = new LinkedHashSet<>();
        while (names.size() < 2_040) {
            Collections.shuffle(groups, random);
            names.add(String.format(Locale.ROOT, "%012d", attempt) + String.join("", groups));
        }
        return names;
    }
}
