package dev.fairlead.proofs.attack;

import static dev.fairlead.test.support.ScriptedHttp.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.support.ScriptedHttp;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** A server behind a gateway whose answer has nearly 64 MiB, more than half of its heap. */
@Tag("proof")
@Timeout(900)
class LargeAnswersAttackTest {
    private static final int MEBIBYTES = 60;

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "text/event-stream"})
    void leaveTheGatewayItsMemoryAndItsOtherServers(String type) throws Exception {
        HttpServer hostile = ScriptedHttp.create();
        hostile.createContext("/mcp", exchange -> answer(exchange, type));
        hostile.start();
        try (McpServer good =
                        McpServer.named("good", "1")
                                .tool("greet", "Greets", NoInput.class, String.class)
                                .handle((none, call) -> "hello")
                                .build();
                HttpServing serving = good.serve(Http.port(0));
                SmallHeap gateway =
                        SmallHeap.start(
                                EndlessListsAttackTest.FrontedServers.class,
                                "96m",
                                "http://127.0.0.1:" + hostile.getAddress().getPort() + "/mcp",
                                serving.uri().toString());
                McpClient client =
                        McpClient.connect(Http.to("http://127.0.0.1:" + gateway.port() + "/mcp"))) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> client.callTool("large", JsonObject.EMPTY))
                        .isInstanceOf(JsonRpcException.class);
                assertThat(gateway.isAlive()).as(gateway.log()).isTrue();
                assertThat(client.callTool("greet", JsonObject.EMPTY).text()).isEqualTo("hello");
            }
        } finally {
            hostile.stop(0);
        }
    }

    private static void answer(HttpExchange exchange, String type) throws IOException {
        String request = ScriptedHttp.body(exchange);
        try (exchange) {
            if (!exchange.getRequestMethod().equals("POST")) {
                exchange.sendResponseHeaders(405, -1);
                return;
            }
            if (!request.contains("\"id\"")) {
                exchange.sendResponseHeaders(202, -1);
                return;
            }
            String start =
                    "{\"jsonrpc\":\"2.0\",\"id\":"
                            + request.replaceFirst("(?s).*\"id\":(\"[^\"]*\"|\\d+).*", "$1")
                            + ",\"result\":";
            if (request.contains("tools/call")) {
                large(exchange, type, start);
            } else {
                json(exchange, 200, start + result(request) + "}");
            }
        }
    }

    private static String result(String request) {
        if (request.contains("\"initialize\"")) {
            return "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
                    + "\"serverInfo\":{\"name\":\"hostile\",\"version\":\"1\"}}";
        }
        return request.contains("tools/list")
                ? "{\"tools\":[{\"name\":\"large\",\"inputSchema\":{\"type\":\"object\"}}]}"
                : "{}";
    }

    private static void large(HttpExchange exchange, String type, String start) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(200, 0);
        boolean isStream = type.equals("text/event-stream");
        byte[] mebibyte = "{\"type\":\"text\",\"text\":\"\"},      ".repeat(1 << 15).getBytes();
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes((isStream ? "data: " : "") + start + "{\"content\":["));
            for (int i = 0; i < MEBIBYTES; i++) {
                out.write(mebibyte);
            }
            out.write(bytes("{\"type\":\"text\",\"text\":\"\"}]}}" + (isStream ? "\n\n" : "")));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
