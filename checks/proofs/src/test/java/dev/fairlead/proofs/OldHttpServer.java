package dev.fairlead.proofs;

import static dev.fairlead.test.support.ScriptedHttp.json;
import static dev.fairlead.test.support.ScriptedHttp.respond;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.test.support.ScriptedHttp;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * A server over HTTP that a library of its time could have made. As a program it prints its URL.
 * Its arguments say how it answers {@code server/discover}:
 *
 * <ul>
 *   <li>{@code html STATUS}: with a page
 *   <li>{@code error STATUS CODE}: with an error of JSON-RPC
 *   <li>{@code late MILLISECONDS}: so late, with such an error
 *   <li>{@code silent}: never
 *   <li>{@code exit}: its process ends
 *   <li>{@code sse STATUS}: it speaks HTTP+SSE alone, and answers every POST to the URL of its
 *       stream so
 *   <li>{@code new}: as a server of revision 2026-07-28 does
 * </ul>
 *
 * <p>With {@code authorized} in front, it answers 401 to any request without a token; with {@code
 * login URL} in front, the answer names that URL as the one of its metadata.
 */
final class OldHttpServer {
    static final String TOKEN = "of-its-time";

    private static final String DISCOVERED =
            """
            {"resultType": "complete", "supportedVersions": ["2026-07-28"],
             "capabilities": {"tools": {}}, "ttlMs": 0, "cacheScope": "private"}\
            """;

    /** The challenge of an answer 401; empty if it needs no token. */
    private final String challenge;

    private final String mode;
    private final String[] values;
    private final CountDownLatch end = new CountDownLatch(1);

    /** The stream of HTTP+SSE; used by one client after the other. */
    private volatile OutputStream stream = OutputStream.nullOutputStream();

    private OldHttpServer(String... arguments) {
        int first;
        switch (arguments[0]) {
            case "authorized" -> {
                challenge = "Bearer";
                first = 1;
            }
            case "login" -> {
                challenge = "Bearer resource_metadata=\"" + arguments[1] + "\"";
                first = 2;
            }
            default -> {
                challenge = "";
                first = 0;
            }
        }
        mode = arguments[first];
        values = Arrays.copyOfRange(arguments, first + 1, arguments.length);
    }

    public static void main(String... arguments) throws IOException {
        HttpServer http = ScriptedHttp.create();
        http.createContext("/", new OldHttpServer(arguments)::handle);
        http.start();
        System.out.println("listening on http://127.0.0.1:" + http.getAddress().getPort() + "/mcp");
    }

    private void handle(HttpExchange exchange) throws IOException {
        try {
            if (!challenge.isEmpty()
                    && !("Bearer " + TOKEN)
                            .equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                exchange.getResponseHeaders().set("WWW-Authenticate", challenge);
                html(exchange, 401);
            } else if (exchange.getRequestMethod().equals("POST")) {
                post(exchange);
            } else if (exchange.getRequestMethod().equals("GET") && mode.equals("sse")) {
                stream(exchange);
            } else {
                html(exchange, 405);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            exchange.close();
        }
    }

    private void post(HttpExchange exchange) throws IOException, InterruptedException {
        JsonObject message = (JsonObject) JsonValue.parse(ScriptedHttp.body(exchange));
        boolean onlySse = mode.equals("sse");
        if (onlySse && exchange.getRequestURI().getPath().equals("/mcp")) {
            OldServer.see("POST " + message.string("method"));
            html(exchange, number(0));
            return;
        }
        JsonValue id = message.get("id");
        Optional<JsonObject> result =
                OldServer.take(message, onlySse ? "2024-11-05" : "2025-11-25");
        if (id == null) {
            respond(exchange, 202);
        } else if (result.isEmpty()) {
            answerUnknown(exchange, id);
        } else if (onlySse) {
            respond(exchange, 202);
            event("message", OldServer.response(id, result.get()).toJson());
        } else {
            json(
                    exchange,
                    200,
                    OldServer.response(
                            id,
                            mode.equals("new")
                                    ? result.get().with("resultType", JsonValue.of("complete"))
                                    : result.get()));
        }
    }

    private void answerUnknown(HttpExchange exchange, JsonValue id)
            throws IOException, InterruptedException {
        switch (mode) {
            case "html" -> html(exchange, number(0));
            case "error" -> json(exchange, number(0), OldServer.error(id, number(1)));
            case "late" -> {
                Thread.sleep(number(0)); // it is that slow
                json(exchange, 400, OldServer.error(id, -32601));
            }
            case "silent" -> end.await();
            case "exit" -> System.exit(3);
            case "new" ->
                    json(
                            exchange,
                            200,
                            OldServer.response(id, (JsonObject) JsonValue.parse(DISCOVERED)));
            default -> throw new IllegalArgumentException(mode);
        }
    }

    private int number(int index) {
        return Integer.parseInt(values[index]);
    }

    private void stream(HttpExchange exchange) throws IOException, InterruptedException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        stream = exchange.getResponseBody();
        event("endpoint", "/messages?sessionId=1");
        end.await();
    }

    private void event(String type, String data) throws IOException {
        OutputStream out = stream;
        out.write("event: %s\ndata: %s\n\n".formatted(type, data).getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private static void html(HttpExchange exchange, int status) throws IOException {
        respond(exchange, status, "text/html", "<html>no such page</html>");
    }
}
