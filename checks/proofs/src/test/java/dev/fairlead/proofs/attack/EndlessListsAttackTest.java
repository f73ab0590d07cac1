package dev.fairlead.proofs.attack;

import static dev.fairlead.test.support.Awaiting.await;
import static dev.fairlead.test.support.ScriptedHttp.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.fairlead.client.McpClient;
import dev.fairlead.gateway.Gateway;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.support.ScriptedHttp;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A server whose list of tools has pages of many megabytes and no end, behind a gateway. */
@Tag("proof")
@Timeout(900)
class EndlessListsAttackTest {
    private static final int PAGE = 6 << 20;

    /** The gateway: to the hostile server and to one that is not. */
    static final class FrontedServers {
        private FrontedServers() {}

        public static void main(String[] urls) throws Exception {
            try (Gateway gateway =
                            Gateway.named("gateway", "1")
                                    .connectWait(Duration.ofSeconds(60))
                                    .server("hostile", Http.to(URI.create(urls[0])))
                                    .server("good", Http.to(URI.create(urls[1])))
                                    .build();
                    HttpServing serving = gateway.serve(Http.port(0))) {
                SmallHeap.ready(serving.port());
            }
        }
    }

    @Test
    void leaveTheGatewayItsMemoryAndItsOtherServers() throws Exception {
        AtomicInteger pages = new AtomicInteger();
        HttpServer hostile = hostile(pages);
        try (McpServer good =
                        McpServer.named("good", "1")
                                .tool("greet", "Greets", NoInput.class, String.class)
                                .handle((none, call) -> "hello")
                                .build();
                HttpServing serving = good.serve(Http.port(0));
                SmallHeap gateway =
                        SmallHeap.start(
                                FrontedServers.class,
                                "160m",
                                "http://127.0.0.1:" + hostile.getAddress().getPort() + "/mcp",
                                serving.uri().toString());
                McpClient client =
                        McpClient.connect(
                                Http.to(
                                        URI.create(
                                                "http://127.0.0.1:" + gateway.port() + "/mcp")))) {
            assertThat(client.tools()).extracting(Tool::name).contains("greet");
            assertThat(pages).hasValueGreaterThan(1);
            assertThat(gateway.isAlive()).as(gateway.log()).isTrue();
            await().untilAsserted( // the line of another process follows its answer
                            () ->
                                    assertThat(gateway.log())
                                            .contains("tools/list has more than 16777216 bytes"));
        } finally {
            hostile.stop(0);
        }
    }

    private static HttpServer hostile(AtomicInteger pages) throws IOException {
        HttpServer server = ScriptedHttp.create();
        server.createContext("/mcp", exchange -> answer(exchange, pages));
        server.start();
        return server;
    }

    private static void answer(HttpExchange exchange, AtomicInteger pages) throws IOException {
        String request = ScriptedHttp.body(exchange);
        try (exchange) {
            if (!exchange.getRequestMethod().equals("POST")) {
                exchange.sendResponseHeaders(405, -1);
            } else if (!request.contains("\"id\"")) {
                exchange.sendResponseHeaders(202, -1);
            } else {
                String id = request.replaceFirst("(?s).*\"id\":(\"[^\"]*\"|\\d+).*", "$1");
                String result = result(request, pages);
                json(
                        exchange,
                        200,
                        "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}");
            }
        }
    }

    private static String result(String request, AtomicInteger pages) {
        if (request.contains("\"initialize\"")) {
            return "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
                    + "\"serverInfo\":{\"name\":\"hostile\",\"version\":\"1\"}}";
        }
        if (!request.contains("tools/list")) {
            return "{}";
        }
        int page = pages.incrementAndGet();
        return "{\"tools\":[{\"name\":\"t"
                + page
                + "\",\"inputSchema\":{\"type\":\"object\"},\"description\":\""
                + "x".repeat(PAGE)
                + "\"}],\"nextCursor\":\""
                + page
                + "\"}";
    }
}
