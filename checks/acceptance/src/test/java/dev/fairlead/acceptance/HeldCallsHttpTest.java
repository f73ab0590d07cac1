package dev.fairlead.proofs;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.peer.builder.Internals;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.RequestState;
import dev.fairlead.server.handler.Question;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Calls whose handler waits between the rounds of its request, over HTTP on real sockets. */
@Timeout(120)
class HeldCallsHttpTest {
    private static final List<byte[]> KEYS =
            List.of("0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.UTF_8));
    private static final int MANY = 1_000;

    /** Half of it is the stack, whose frames are small only once they are compiled. */
    private static final long MOST_BYTES = 6 << 10;

    record Name(String name) {}

    /** Of a long text it keeps little. */
    record Start(String text) {
        Start {
            text = text.substring(0, 8);
        }
    }

    private final HttpClient here = client("127.0.0.1");
    private final HttpClient there = client("127.0.0.2");
    private final ManualTimers timers = new ManualTimers();
    private final AtomicInteger bodies = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final CountDownLatch never = new CountDownLatch(1);
    private final LinkedBlockingQueue<String> events = new LinkedBlockingQueue<>();

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

    private McpServer.Builder server() {
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

    private static String body(String tool, @Nullable JsonObject asked, String answer) {
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

    private static final Map<String, String> HEADERS =
            Map.of(
                    "Content-Type", "application/json",
                    "Accept", "application/json, text/event-stream",
                    "MCP-Protocol-Version", "2026-07-28",
                    "Mcp-Method", "tools/call");

    private static HttpRequest request(HttpServing at, String tool, String body) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(at.uri())
                        .header("Mcp-Name", tool)
                        .POST(HttpRequest.BodyPublishers.ofString(body));
        HEADERS.forEach(request::header);
        return request.build();
    }

    private static HttpResponse<String> post(HttpClient client, HttpServing at, String body)
            throws Exception {
        return client.send(request(at, "held", body), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> begin(HttpClient client, HttpServing at) throws Exception {
        return post(client, at, body("held", null, ""));
    }

    private static JsonObject json(HttpResponse<String> answer) {
        return (JsonObject) JsonValue.parse(answer.body());
    }

    private static JsonObject result(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return json(answer).object("result");
    }

    private static String text(JsonObject result) {
        return ((JsonObject) result.array("content").get(0)).string("text");
    }

    private static void assertGone(HttpResponse<String> answer) {
        JsonObject error = json(answer).object("error");
        assertThat(error.get("code")).isEqualTo(JsonValue.of(-32602));
        assertThat(error.object("data").string("reason")).isEqualTo("call_gone");
    }

    @Test
    @Requirement({"N26-MRTR-003", "N26-MRTR-016"})
    void theHandlerRunsOnceOverTwoRounds() throws Exception {
        try (McpServer server = server().build();
                HttpServing at = server.serve(PerRequestFrames.listener())) {
            JsonObject first = result(begin(here, at));
            JsonObject second = result(post(there, at, body("held", first, "Ada ")));
            JsonObject last = result(post(here, at, body("held", second, "Lovelace")));
            assertThat(text(last)).isEqualTo("Ada Lovelace");
            assertThat(bodies).hasValue(1);
        }
    }

    @Test
    @Requirement("N26-MRTR-015")
    void aCallerThatHoldsTooMuchIsRefusedAndAnotherIsServed() throws Exception {
        try (McpServer server = server().maxHeldCallsPerCaller(2).build();
                HttpServing at = server.serve(PerRequestFrames.listener())) {
            JsonObject first = result(begin(here, at));
            result(begin(here, at));
            HttpResponse<String> refused = begin(here, at);
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(json(refused).object("error").object("data").bool("retryable")).isTrue();
            result(begin(there, at));
            assertThat(bodies).hasValue(3);
            JsonObject second = result(post(here, at, body("held", first, "A")));
            assertThat(text(result(post(here, at, body("held", second, "B"))))).isEqualTo("AB");
            result(begin(here, at));
        }
    }

    @Test
    @Requirement({"N26-MRTR-014", "N26-MRTR-015"})
    void aRestartEndsTheCallAndNeverRunsItAgain() throws Exception {
        JsonObject asked;
        try (McpServer server = server().build();
                HttpServing at = server.serve(PerRequestFrames.listener())) {
            asked = result(begin(here, at));
        }
        await().untilAsserted(() -> assertThat(ended).hasValue(1)); // closing interrupted it
        try (McpServer server = server().build();
                HttpServing at = server.serve(PerRequestFrames.listener())) {
            assertGone(post(here, at, body("held", asked, "Ada")));
            assertThat(bodies).hasValue(1);
        }
    }

    @Test
    @Requirement("N26-MRTR-014")
    void onlyOneOfConcurrentRetriesContinues() throws Exception {
        try (McpServer server = server().build();
                HttpServing at = server.serve(PerRequestFrames.listener())) {
            JsonObject asked = result(begin(here, at));
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                answers.add(
                        here.sendAsync(
                                request(at, "held", body("held", asked, "retry " + i)),
                                HttpResponse.BodyHandlers.ofString()));
            }
            int wentOn = 0;
            for (CompletableFuture<HttpResponse<String>> each : answers) {
                HttpResponse<String> answer = each.get(30, TimeUnit.SECONDS);
                if (json(answer).has("result")) {
                    wentOn++;
                } else {
                    assertGone(answer);
                }
            }
            assertThat(wentOn).isEqualTo(1);
            assertThat(bodies).hasValue(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"loop", "jetty"})
    @Requirement({"N26-HTTP-011", "N26-CANC-002"})
    void aClientThatLeavesInTheMiddleOfARoundInterruptsTheHandler(String engine) throws Exception {
        try (McpServer server = server().build();
                HttpServing at =
                        server.serve(
                                Http.port(0)
                                        .engine(engine)
                                        .streamAfter(Duration.ofMillis(50))
                                        .heartbeat(Duration.ofMillis(200)))) {
            JsonObject asked =
                    result(
                            here.send(
                                    request(at, "left", body("left", null, "")),
                                    HttpResponse.BodyHandlers.ofString()));
            byte[] retry = body("left", asked, "Ada").getBytes(StandardCharsets.UTF_8);
            try (Socket socket = new Socket(at.uri().getHost(), at.uri().getPort())) {
                StringBuilder head = new StringBuilder("POST /mcp HTTP/1.1\r\nHost: localhost\r\n");
                HEADERS.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
                head.append("Mcp-Name: left\r\nContent-Length: " + retry.length + "\r\n\r\n");
                socket.getOutputStream().write(head.toString().getBytes(StandardCharsets.UTF_8));
                socket.getOutputStream().write(retry);
                InputStream in = socket.getInputStream();
                assertThat(in.read()).isEqualTo('H'); // the stream has begun
            }
            assertThat(events.poll(30, TimeUnit.SECONDS)).isEqualTo("interrupted");
            assertGone(
                    here.send(
                            request(at, "left", new String(retry, StandardCharsets.UTF_8)),
                            HttpResponse.BodyHandlers.ofString()));
        }
    }

    @Test
    @Requirement("N26-MRTR-015")
    void aThousandAbandonedCallsLeaveNothing() throws Exception {
        try (McpServer server = server().maxHeldCallsPerCaller(MANY).build();
                HttpServing at = server.serve(PerRequestFrames.listener())) {
            for (int i = 0; i < MANY; i++) { // what is loaded and pooled once does not count
                JsonObject first = result(begin(here, at));
                JsonObject second = result(post(here, at, body("held", first, "A")));
                result(post(here, at, body("held", second, "B")));
            }
            await().untilAsserted(() -> assertThat(ended).hasValue(MANY));
            Map<String, Integer> threads = Threads.count();
            long before = used();
            for (int i = 0; i < MANY; i++) {
                assertThat(result(begin(here, at)).has("inputRequests")).isTrue();
            }
            long each = (used() - before) / MANY;
            assertThat(each).as("bytes of a held call").isLessThanOrEqualTo(MOST_BYTES);
            assertThat(begin(here, at).statusCode()).isEqualTo(429);
            assertThat(bodies).hasValue(2 * MANY);
            timers.advance(Duration.ofMinutes(10));
            await().untilAsserted(() -> assertThat(ended).hasValue(2 * MANY));
            Threads.awaitNoMoreThan(threads);
            await().untilAsserted(
                            () -> assertThat(used() - before).isLessThan(MANY * MOST_BYTES / 10));
            assertThat(result(begin(here, at)).has("inputRequests")).isTrue();
        }
    }

    @Test
    @Requirement("N26-MRTR-015")
    void ofLongArgumentsOnlyWhatTheHandlerGotIsKept() throws Exception {
        int some = 100;
        int length = 20_000;
        String body =
                body("long", null, "")
                        .replace(
                                "\"arguments\": {}",
                                "\"arguments\": {\"text\": \"" + "x".repeat(length) + "\"}");
        try (McpServer server = server().maxHeldCallsPerCaller(2 * some).build();
                HttpServing at = server.serve(PerRequestFrames.listener())) {
            long before = 0;
            for (int i = 0; i < 2 * some; i++) { // what is loaded and pooled once does not count
                before = i == some ? used() : before;
                result(here.send(request(at, "long", body), HttpResponse.BodyHandlers.ofString()));
            }
            assertThat((used() - before) / some).isLessThan(length / 2);
        }
    }

    private static long used() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
