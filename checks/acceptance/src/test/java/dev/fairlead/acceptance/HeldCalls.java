package dev.fairlead.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.peer.builder.Internals;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.RequestState;
import dev.fairlead.server.handler.Question;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Calls whose handler waits between the rounds of its request, over HTTP on real sockets. */
abstract class HeldCalls {
    private static final List<byte[]> KEYS =
            List.of("0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.UTF_8));

    record Name(String name) {}

    /** Keeps little of a long text. */
    record Start(String text) {
        Start {
            text = text.substring(0, 8);
        }
    }

    final HttpClient here = client("127.0.0.1");
    final HttpClient there = client("127.0.0.2");
    final ManualTimers timers = new ManualTimers();
    final AtomicInteger bodies = new AtomicInteger();
    final AtomicInteger ended = new AtomicInteger();
    private final CountDownLatch never = new CountDownLatch(1);
    final LinkedBlockingQueue<String> events = new LinkedBlockingQueue<>();

    private static HttpClient client(String address) {
        try {
            return HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .localAddress(InetAddress.getByName(address))
                    .build();
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    McpServer.Builder server() {
        return Internals.withTimers(McpServer.named("held", "1.0.0"), timers::share)
                .requestState(RequestState.keys(KEYS))
                .withoutRateLimit()
                .tool("held", "Asks twice", NoInput.class, String.class)
                .holdsWhileAsking()
                .handle(
                        (none, call) -> {
                            bodies.incrementAndGet();
                            try {
                                var first = Question.elicit("First?", Name.class).as("first");
                                var second = Question.elicit("Second?", Name.class).as("second");
                                return call.ask(first).orElseThrow().name()
                                        + call.ask(second).orElseThrow().name();
                            } finally {
                                ended.incrementAndGet();
                            }
                        })
                .tool("long", "Asks for a name", Start.class, String.class)
                .holdsWhileAsking()
                .handle((start, call) -> call.elicit("Name?", Name.class).orElseThrow().name())
                .tool("left", "Asks, then waits", NoInput.class, String.class)
                .holdsWhileAsking()
                .handle(
                        (none, call) -> {
                            call.elicit("Name?", Name.class);
                            try {
                                never.await();
                            } catch (InterruptedException e) {
                                events.add("interrupted");
                                throw e;
                            }
                            return "never";
                        });
    }

    static String body(String tool, @Nullable JsonObject asked, String answer) {
        String key = asked == null ? "" : asked.object("inputRequests").names().iterator().next();
        return """
        {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {
         "name": "%s", "arguments": {}, %s
         "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                   "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}}}}}\
        """
                .formatted(
                        tool,
                        asked == null
                                ? ""
                                : """
                                "inputResponses": {"%s": {"action": "accept",
                                                          "content": {"name": "%s"}}},
                                "requestState": "%s",\
                                """
                                        .formatted(key, answer, asked.string("requestState")));
    }

    static final Map<String, String> HEADERS =
            Map.of(
                    "Content-Type", "application/json",
                    "Accept", "application/json, text/event-stream",
                    "MCP-Protocol-Version", "2026-07-28",
                    "Mcp-Method", "tools/call");

    static HttpRequest request(HttpServing at, String tool, String body) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(at.uri())
                        .header("Mcp-Name", tool)
                        .POST(HttpRequest.BodyPublishers.ofString(body));
        HEADERS.forEach(request::header);
        return request.build();
    }

    static HttpResponse<String> post(HttpClient client, HttpServing at, String body)
            throws Exception {
        return client.send(request(at, "held", body), HttpResponse.BodyHandlers.ofString());
    }

    static HttpResponse<String> begin(HttpClient client, HttpServing at) throws Exception {
        return post(client, at, body("held", null, ""));
    }

    /** The response, which may be the one event of a stream. */
    static JsonObject json(HttpResponse<String> answer) {
        String response =
                answer.body()
                        .lines()
                        .filter(line -> line.startsWith("data: {"))
                        .map(line -> line.substring("data: ".length()))
                        .findFirst()
                        .orElse(answer.body());
        return (JsonObject) JsonValue.parse(response);
    }

    static JsonObject result(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return json(answer).object("result");
    }

    static String text(JsonObject result) {
        return ((JsonObject) result.array("content").get(0)).string("text");
    }

    static void assertGone(HttpResponse<String> answer) {
        JsonObject error = json(answer).object("error");
        assertThat(error.get("code")).isEqualTo(JsonValue.of(-32602));
        assertThat(error.object("data").string("reason")).isEqualTo("call_gone");
    }
}
