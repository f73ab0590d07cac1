package dev.fairlead.test.support;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** The HTTP server of the JDK, for tests that write its responses themselves. */
public final class ScriptedHttp {
    private ScriptedHttp() {}

    /** Creates a server on a free loopback port, with a thread for each request; not started. */
    public static HttpServer create() throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        return server;
    }

    /** Reads the body of a request. */
    public static String body(HttpExchange exchange) throws IOException {
        return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Sends a response without a body, and ends the exchange. */
    public static void respond(HttpExchange exchange, int status) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(status, -1);
        }
    }

    /** Sends a response with a body, and ends the exchange. */
    public static void respond(HttpExchange exchange, int status, String type, String body)
            throws IOException {
        try (exchange) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    /** Sends a response in JSON, and ends the exchange. */
    public static void json(HttpExchange exchange, int status, Object json) throws IOException {
        respond(exchange, status, "application/json", json.toString());
    }
}
