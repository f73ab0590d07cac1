package dev.fairlead.proofs.attack;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.test.support.ScriptedHttp;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A server that sends large notifications to a client whose listeners are slow. */
@Tag("proof")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class NotificationFloodAttackTest {
    private static final int NOTIFICATIONS = 200;
    private static final String TEXT = "x".repeat(1 << 20);

    /** A client whose listeners never return. */
    static final class SlowListeners {
        private SlowListeners() {}

        public static void main(String[] urls) throws Exception {
            CountDownLatch never = new CountDownLatch(1);
            try (McpClient client =
                    McpClient.named("slow", "1")
                            .onLog(entry -> never.await())
                            .onResourceUpdated(uri -> never.await())
                            .onNotification("example/note", params -> never.await())
                            .connect(Http.to(URI.create(urls[0])))) {
                client.ping();
                SmallHeap.ready(0);
            }
        }
    }

    @Test
    void notificationsThatWaitForListenersAreBoundedByBytes() throws Exception {
        CompletableFuture<Void> answered = new CompletableFuture<>();
        HttpServer hostile = ScriptedHttp.create();
        hostile.createContext("/mcp", exchange -> handle(exchange, answered));
        hostile.start();
        String url = "http://127.0.0.1:" + hostile.getAddress().getPort() + "/mcp";
        try (SmallHeap client = SmallHeap.start(SlowListeners.class, "128m", url)) {
            assertThat(answered).as(client::log).succeedsWithin(2, TimeUnit.MINUTES);
            assertThat(client.isAlive()).as(client.log()).isTrue();
        } finally {
            hostile.stop(0);
        }
    }

    private static void handle(HttpExchange exchange, CompletableFuture<Void> answered)
            throws IOException {
        String message = ScriptedHttp.body(exchange);
        try (exchange) {
            if (exchange.getRequestMethod().equals("GET")) {
                flood(exchange, answered);
            } else if (message.contains("\"method\"") && message.contains("\"id\"")) {
                answer(exchange, message);
            } else {
                if (message.contains("\"result\"")) { // of the last ping
                    answered.complete(null);
                }
                exchange.sendResponseHeaders(202, -1);
            }
        }
    }

    private static void answer(HttpExchange exchange, String message) throws IOException {
        String id = message.replaceFirst("(?s).*\"id\":(\"[^\"]*\"|\\d+).*", "$1");
        String result =
                message.contains("\"initialize\"")
                        ? "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"logging\":{},"
                                + "\"resources\":{\"subscribe\":true}},"
                                + "\"serverInfo\":{\"name\":\"hostile\",\"version\":\"1\"}}"
                        : "{}";
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.getResponseHeaders().add("MCP-Session-Id", "1");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(
                    ("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}")
                            .getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Sends notifications, then a ping, and keeps the stream open until it is answered. */
    private static void flood(HttpExchange exchange, CompletableFuture<Void> answered)
            throws IOException {
        exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            for (int i = 0; i < NOTIFICATIONS; i++) {
                event(
                        out,
                        "\"method\":\"notifications/message\",\"params\":{\"level\":\"error\","
                                + "\"data\":\""
                                + TEXT
                                + "\"}");
                event(
                        out,
                        "\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"a:"
                                + i
                                + TEXT
                                + "\"}");
                event(out, "\"method\":\"example/note\",\"params\":{\"text\":\"" + TEXT + "\"}");
            }
            event(out, "\"id\":1,\"method\":\"ping\"");
            answered.join();
        } catch (IOException e) {
            answered.completeExceptionally(e);
        }
    }

    private static void event(OutputStream out, String members) throws IOException {
        out.write(
                ("data: {\"jsonrpc\":\"2.0\"," + members + "}\n\n")
                        .getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
