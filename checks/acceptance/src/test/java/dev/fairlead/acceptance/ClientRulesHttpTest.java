package dev.fairlead.acceptance;

import static dev.fairlead.test.support.ScriptedHttp.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.fairlead.client.ClientRequests;
import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.peer.builder.Internals;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.Logged;
import dev.fairlead.test.support.ScriptedHttp;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.stream.Stream;

/**
 * Rules of revision 2026-07-28 for clients over HTTP, by their requests to a server whose answers
 * the test writes.
 */
@Timeout(60)
class ClientRulesHttpTest {
    private static final String DISCOVERED =
            """
            {"resultType": "complete", "supportedVersions": ["2026-07-28"], "ttlMs": 0,
             "cacheScope": "private", "capabilities": {"tools": {}, "resources": {}, "prompts": {},
              "extensions": {"io.modelcontextprotocol/tasks": {}}}}\
            """;
    private static final String TOOLS =
            """
            {"resultType": "complete", "ttlMs": 0, "cacheScope": "private", "tools": [
              {"name": "find", "inputSchema": {"type": "object", "properties": {
                "place": {"type": "string", "x-mcp-header": "Place"},
                "method": {"type": "string", "x-mcp-header": "Method"},
                "count": {"type": "integer", "x-mcp-header": "Count"},
                "exact": {"type": "boolean", "x-mcp-header": "Exact"}}}},
              {"name": "broken", "inputSchema": {"type": "object", "properties": {
                "list": {"type": "array", "x-mcp-header": "List"}}}},
              {"name": "plain", "inputSchema": {"type": "object"}}]}\
            """;
    private static final String DONE =
            """
            {"resultType": "complete", "content": [{"type": "text", "text": "done"}]}\
            """;

    private final List<Post> posts = new CopyOnWriteArrayList<>();
    private final Map<String, Function<JsonObject, String>> answers = new ConcurrentHashMap<>();
    private final BlockingQueue<String> closed = new LinkedBlockingQueue<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch timedOut = new CountDownLatch(1);
    private HttpServer server;

    /** A request of the client. */
    private record Post(String httpMethod, Map<String, List<String>> headers, JsonObject body) {
        String method() {
            return body.string("method");
        }

        String header(String name) {
            List<String> values =
                    headers.get(name.substring(0, 1) + name.substring(1).toLowerCase(Locale.ROOT));
            return values == null ? null : String.join(" and ", values);
        }
    }

    @BeforeEach
    void serve() throws IOException {
        answers.put("server/discover", params -> DISCOVERED);
        answers.put("tools/list", params -> TOOLS);
        answers.put("tools/call", params -> DONE);
        server = ScriptedHttp.create();
        server.createContext("/mcp", this::handle);
        server.start();
    }

    @AfterEach
    void stop() {
        timedOut.countDown();
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        byte[] bytes = exchange.getRequestBody().readAllBytes();
        JsonObject body = (JsonObject) JsonValue.parse(new String(bytes, StandardCharsets.UTF_8));
        posts.add(new Post(exchange.getRequestMethod(), exchange.getRequestHeaders(), body));
        String answer = answers.get(body.string("method")).apply(body.object("params"));
        if (answer.equals("stream")) {
            stream(exchange, body.string("method"));
            return;
        }
        if (answer.equals("broken")) {
            breakStream(exchange);
            return;
        }
        if (answer.startsWith("body:")) {
            String id = String.valueOf(body.get("id"));
            json(exchange, 200, answer.substring("body:".length()).replace("%s", id));
            return;
        }
        boolean refused = answer.startsWith("error:");
        String json =
                "{\"jsonrpc\": \"2.0\", \"id\": %s, \"%s\": %s}"
                        .formatted(
                                body.get("id"),
                                refused ? "error" : "result",
                                refused ? answer.substring("error:".length()) : answer);
        json(exchange, refused ? 400 : 200, json);
    }

    /** Begins a stream, and writes comments from the timeout on until the client closes it. */
    private void stream(HttpExchange exchange, String method) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        comment(exchange);
        begun.countDown();
        try {
            timedOut.await();
            while (true) {
                comment(exchange);
            }
        } catch (IOException e) {
            closed.add(method);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void comment(HttpExchange exchange) throws IOException {
        exchange.getResponseBody().write(": alive\n\n".getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
    }

    /** Ends the stream before the response. */
    private static void breakStream(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write(": soon\n\n".getBytes(StandardCharsets.UTF_8));
        exchange.close();
    }

    private McpClient.Builder client() {
        return McpClient.named("desk", "1")
                .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                .onElicitForm(
                        form -> {
                            asked.incrementAndGet();
                            return Answer.accept(JsonObject.of("sure", true));
                        });
    }

    private McpClient connect() throws InterruptedException {
        return connect(client());
    }

    private McpClient connect(McpClient.Builder client) throws InterruptedException {
        return client.connect(
                Http.to("http://127.0.0.1:" + server.getAddress().getPort() + "/mcp"));
    }

    private Post last(String method) {
        return posts.stream().filter(post -> post.method().equals(method)).toList().getLast();
    }

    private long count(String method) {
        return posts.stream().filter(post -> post.method().equals(method)).count();
    }

    @Test
    @Requirement({"N26-HTTP-002", "N26-HDR-001", "N26-HDR-002", "N26-HDR-003"})
    void everyMessageIsAPostThatAcceptsBothKindsOfAnswers() throws Exception {
        try (McpClient client = connect()) {
            client.tools();
            client.callTool("plain", JsonObject.EMPTY);
        }
        assertThat(posts)
                .extracting(Post::method)
                .containsExactly("server/discover", "tools/list", "tools/call");
        assertThat(posts)
                .allSatisfy(
                        post -> {
                            assertThat(post.httpMethod()).isEqualTo("POST");
                            assertThat(post.header("Accept"))
                                    .isEqualTo("application/json, text/event-stream");
                            assertThat(post.header("Mcp-protocol-version")).isEqualTo("2026-07-28");
                            assertThat(post.header("Mcp-method")).isEqualTo(post.method());
                        });
        assertThat(last("tools/call").header("Mcp-name")).isEqualTo("plain");
    }

    @Test
    @Requirement("N26-BASE-001")
    void everyPostIsOneMessageInUtf8() throws Exception {
        List<String> texts = List.of("Grüße\nan alle", "漢字\u2028\u0000", "𝄞 \"quoted\"");
        answers.put(
                "tools/call",
                params ->
                        DONE.replace("\"done\"", params.object("arguments").get("text").toJson()));
        try (McpClient client = connect();
                ExecutorService together = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> calls = new ArrayList<>();
            for (String text : texts) {
                calls.add(
                        together.submit(
                                () ->
                                        client.callTool("plain", JsonObject.of("text", text))
                                                .text()));
            }
            for (int i = 0; i < texts.size(); i++) {
                assertThat(calls.get(i).get()).isEqualTo(texts.get(i));
            }
        }
        // the server takes nothing but one object of JSON in UTF-8 with each
        assertThat(posts).hasSize(1 + texts.size());
        assertThat(posts)
                .allSatisfy(
                        post -> {
                            assertThat(post.body().string("jsonrpc")).isEqualTo("2.0");
                            assertThat(post.body().has("id")).isTrue();
                            assertThat(post.header("Content-type")).isEqualTo("application/json");
                        });
        assertThat(posts.stream().skip(1))
                .extracting(post -> post.body().object("params").object("arguments").string("text"))
                .containsExactlyInAnyOrderElementsOf(texts);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{\"jsonrpc\": \"2.0\", \"id\": %s, \"result\": {\"content\": []}}]",
                "{\"id\": %s, \"result\": {\"content\": []}}",
                "{\"jsonrpc\": \"1.0\", \"id\": %s, \"result\": {\"content\": []}}",
                "{\"jsonrpc\": \"2.0\", \"id\": %s, \"result\": {\"content\": []}} {}"
            })
    @Requirement("N26-BASE-001")
    void whatIsNotOneMessageIsNoAnswer(String answer) throws Exception {
        answers.put("tools/call", params -> "body:" + answer);
        try (McpClient client = connect()) {
            assertThatThrownBy(() -> client.callTool("plain", JsonObject.EMPTY))
                    .isInstanceOf(ConnectionException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"-7\"", "1.5", "null", "{}", "1e99"})
    @Requirement("N26-BASE-010")
    void anErrorWhoseCodeIsNoIntegerIsNoAnswer(String code) throws Exception {
        answers.put(
                "tools/call",
                params ->
                        "body:{\"jsonrpc\": \"2.0\", \"id\": %s, \"error\": {\"code\": "
                                + code
                                + ", \"message\": \"no\"}}");
        try (McpClient client = connect()) {
            assertThatThrownBy(() -> client.callTool("plain", JsonObject.EMPTY))
                    .isInstanceOf(ConnectionException.class);
        }
    }

    @Test
    @Requirement({"N26-HDR-006", "N26-HDR-007", "N26-HDR-009", "N26-HDR-013"})
    void argumentsAreRepeatedInHeaders() throws Exception {
        try (McpClient client = connect()) {
            client.tools();
            client.callTool(
                    "find",
                    JsonObject.of("place", "Oslo", "method", "GET", "count", 42, "exact", true));
            Post post = last("tools/call");
            assertThat(post.header("Mcp-param-place")).isEqualTo("Oslo");
            assertThat(post.header("Mcp-param-method")).isEqualTo("GET");
            assertThat(post.header("Mcp-method")).isEqualTo("tools/call");
            assertThat(post.header("Mcp-param-count")).isEqualTo("42");
            assertThat(post.header("Mcp-param-exact")).isEqualTo("true");

            client.callTool("find", JsonObject.of("place", "=?base64?T3Nsbw==?="));
            post = last("tools/call");
            assertThat(post.header("Mcp-param-place"))
                    .isEqualTo("=?base64?PT9iYXNlNjQ/VDNOc2J3PT0/PQ==?=");
            assertThat(post.header("Mcp-param-count")).isNull();

            client.callTool("find", JsonObject.of("place", "Bodø\r\nX-Evil: 1"));
            assertThat(last("tools/call").header("Mcp-param-place"))
                    .isEqualTo("=?base64?Qm9kw7gNClgtRXZpbDogMQ==?=");
            assertThat(last("tools/call").header("X-evil")).isNull();
        }
    }

    @Test
    @Requirement("N26-HDR-011")
    void aToolWithABrokenAnnotationIsLeftOutWithAWarning() throws Exception {
        try (Logged log = new Logged("dev.fairlead.client.link.ToolDefinitions", Level.WARNING);
                McpClient client = connect()) {
            assertThat(client.tools()).extracting(Tool::name).containsExactly("find", "plain");
            assertThat(log.lines()).anySatisfy(line -> assertThat(line).contains("broken"));
        }
    }

    @Test
    @Requirement("N26-HDR-015")
    void aRefusalOfHeadersLeadsToOneLookAtTheListAndOneRepetition() throws Exception {
        String mismatch = "error:{\"code\": -32020, \"message\": \"Header mismatch\"}";
        answers.put("tools/list", params -> TOOLS.replace("\"Place\"", "\"Old\""));
        answers.put(
                "tools/call",
                params -> last("tools/call").header("Mcp-param-place") == null ? mismatch : DONE);
        try (McpClient client = connect()) {
            client.tools();
            answers.put("tools/list", params -> TOOLS);
            assertThat(client.callTool("find", JsonObject.of("place", "Oslo")).text())
                    .isEqualTo("done");
            assertThat(count("tools/call")).isEqualTo(2);
            assertThat(count("tools/list")).isEqualTo(2);

            answers.put("tools/call", params -> mismatch);
            assertThatThrownBy(() -> client.callTool("find", JsonObject.of("place", "Oslo")))
                    .isInstanceOf(JsonRpcException.class);
            assertThat(count("tools/call")).isEqualTo(4);
            assertThat(count("tools/list")).isEqualTo(3);
        }
    }

    @Test
    @Requirement({"N26-HTTP-012", "N26-CANC-005", "N26-HTTP-010"})
    void aTimeoutClosesTheStreamAndSendsNoCancellation() throws Exception {
        answers.put("tools/call", params -> "stream");
        ManualTimers timers = new ManualTimers();
        try (McpClient client = connect(Internals.withTimers(client(), timers::share));
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            ClientRequests limited = client.withTimeout(Duration.ofMinutes(1));
            Future<?> call = callers.submit(() -> limited.callTool("plain", JsonObject.EMPTY));
            begun.await();
            timers.advance(Duration.ofMinutes(1));
            timedOut.countDown();

            assertThatThrownBy(call::get).hasCauseInstanceOf(RequestTimeoutException.class);
            assertThat(closed.poll(60, TimeUnit.SECONDS)).isEqualTo("tools/call");
        }
        assertThat(posts)
                .extracting(Post::method)
                .contains("tools/call")
                .doesNotContain("notifications/cancelled");
    }

    @Test
    @Requirement("N26-BASE-009")
    void aResultWithoutATypeIsComplete() throws Exception {
        answers.put("tools/call", params -> DONE.replace("\"resultType\": \"complete\", ", ""));
        try (McpClient client = connect()) {
            assertThat(client.callTool("plain", JsonObject.EMPTY).text()).isEqualTo("done");
        }
    }

    @Test
    @Requirement("N26-MRTR-021")
    void theResultOfARetryIsNotKept() throws Exception {
        answers.put(
                "resources/read",
                params ->
                        params.has("inputResponses")
                                ? """
                                {"resultType": "complete", "ttlMs": 3600000,
                                 "cacheScope": "private",
                                 "contents": [{"uri": "a://b", "text": "answered"}]}\
                                """
                                : """
                                {"resultType": "input_required", "requestState": "s",
                                 "inputRequests": {"sure": {"method": "elicitation/create",
                                  "params": {"message": "Sure?", "requestedSchema":
                                   {"type": "object", "properties":
                                    {"sure": {"type": "boolean"}}}}}}}\
                                """);
        try (McpClient client = connect()) {
            assertThat(client.readResource("a://b").text()).isEqualTo("answered");
            assertThat(client.readResource("a://b").text()).isEqualTo("answered");
        }
        assertThat(count("resources/read")).isEqualTo(4);
    }

    private static final String MISMATCH =
            "error:{\"code\": -32020, \"message\": \"Header mismatch\"}";
    private static final String STARTED =
            """
            {"resultType": "task", "taskId": "t", "status": "working", "ttlMs": null,
             "createdAt": "2026-07-28T00:00:00Z", "lastUpdatedAt": "2026-07-28T00:00:00Z"}\
            """;

    /** Refuses calls that do not repeat the place. */
    private void requirePlace(String answer) {
        answers.put(
                "tools/call",
                params -> last("tools/call").header("Mcp-param-place") == null ? MISMATCH : answer);
    }

    private static final JsonObject OSLO = JsonObject.of("place", "Oslo");

    /** A way to call the tool. */
    private interface Call {
        Object with(McpClient client) throws Exception;
    }

    static Stream<Named<Call>> calls() {
        CallToolRequest request = new CallToolRequest("find", OSLO);
        return Stream.of(
                Named.of("callTool", client -> client.callTool("find", OSLO)),
                Named.of("firstRound", client -> client.firstRound(request)),
                Named.of(
                        "request",
                        client ->
                                client.request(
                                        "tools/call",
                                        JsonObject.of("name", "find", "arguments", OSLO))),
                Named.of("startTool", client -> client.startTool(request)));
    }

    @ParameterizedTest
    @MethodSource("calls")
    @Requirement("N26-HDR-015")
    void theLookAtTheListTakesNoPageThatIsKept(Call call) throws Exception {
        String kept = TOOLS.replace("\"ttlMs\": 0", "\"ttlMs\": 3600000");
        answers.put("tools/list", params -> kept.replace("\"Place\"", "\"Old\""));
        requirePlace(DONE);
        try (McpClient client = connect()) {
            client.tools();
            answers.put("tools/list", params -> kept);
            call.with(client);
        }
        assertThat(count("tools/call")).isEqualTo(2);
        assertThat(count("tools/list")).isEqualTo(2);
        assertThat(last("tools/call").header("Mcp-param-place")).isEqualTo("Oslo");
    }

    @ParameterizedTest
    @MethodSource("calls")
    @Requirement("N26-HDR-015")
    void aToolThatIsNotKnownIsLookedUpAfterTheRefusal(Call call) throws Exception {
        requirePlace(DONE);
        try (McpClient client = connect()) {
            call.with(client);
        }
        assertThat(count("tools/call")).isEqualTo(2);
        assertThat(count("tools/list")).isEqualTo(1);
    }

    @Test
    @Requirement("N26-HDR-006")
    void aTypedToolThatIsStartedHasItsHeadersAtOnce() throws Exception {
        requirePlace(STARTED);
        answers.put("tasks/get", params -> STARTED.replace("\"task\"", "\"complete\""));
        try (McpClient client = connect()) {
            assertThat(client.tool("find", JsonObject.class, JsonObject.class).start(OSLO).id())
                    .isPresent();
        }
        assertThat(count("tools/call")).isEqualTo(1);
        assertThat(last("tools/call").header("Mcp-param-place")).isEqualTo("Oslo");
    }

    @Test
    @Requirement("N26-HDR-015")
    void aTaskWhoseHeadersAreRefusedAgainIsNotStarted() throws Exception {
        answers.put("tools/call", params -> MISMATCH);
        try (McpClient client = connect()) {
            assertThatThrownBy(() -> client.startTool(new CallToolRequest("find", OSLO)))
                    .isInstanceOf(JsonRpcException.class);
        }
        assertThat(count("tools/call")).isEqualTo(2);
    }

    /** Breaks the stream of the first request of this method. */
    private void breakOnce(String method, String answer) {
        answers.put(method, params -> count(method) == 1 ? "broken" : answer);
    }

    @Test
    @Requirement("N26-HTTP-013")
    void aRequestThatOnlyReadsIsSentOnceMoreWhenItsStreamBreaks() throws Exception {
        breakOnce("tools/list", TOOLS);
        breakOnce("resources/read", "{\"resultType\": \"complete\", \"contents\": []}");
        breakOnce("prompts/list", "{\"resultType\": \"complete\", \"prompts\": []}");
        try (McpClient client = connect()) {
            assertThat(client.tools()).hasSize(2);
            assertThat(client.readResource("a://b").contents()).isEmpty();
            assertThat(client.request("prompts/list", JsonObject.EMPTY).has("prompts")).isTrue();
        }
        for (String method : List.of("tools/list", "resources/read", "prompts/list")) {
            List<Post> sent = posts.stream().filter(post -> post.method().equals(method)).toList();
            assertThat(sent).extracting(post -> post.body().get("id")).doesNotHaveDuplicates();
            assertThat(sent)
                    .hasSize(2)
                    .allSatisfy(post -> assertThat(post.header("Last-event-id")).isNull());
        }
    }

    private static final String ASKS =
            """
            {"resultType": "input_required", "requestState": "s", "inputRequests": {"q": {
              "method": "elicitation/create", "params": {"message": "Sure?", "requestedSchema":
                {"type": "object", "properties": {"sure": {"type": "boolean"}}}}}}}\
            """;

    /** Answers the first round with a question, breaks the stream of the second so many times. */
    private void breakSecondRound(String method, int times, String result) {
        AtomicInteger broken = new AtomicInteger();
        answers.put(
                method,
                params -> {
                    if (!params.has("inputResponses")) {
                        return ASKS;
                    }
                    return broken.incrementAndGet() <= times ? "broken" : result;
                });
    }

    @Test
    @Requirement("N26-HTTP-013")
    void aLaterRoundThatOnlyReadsIsSentOnceMoreAndThePersonAskedOnce() throws Exception {
        breakSecondRound("prompts/get", 1, "{\"resultType\": \"complete\", \"messages\": []}");
        breakSecondRound("resources/read", 2, "{}");
        try (McpClient client = connect()) {
            assertThat(client.getPrompt("p").messages()).isEmpty();
            assertThat(asked).hasValue(1);
            assertThat(count("prompts/get")).isEqualTo(3);
            assertThatThrownBy(() -> client.readResource("a://b"))
                    .isInstanceOf(ConnectionException.class);
            assertThat(asked).hasValue(2);
            assertThat(count("resources/read")).isEqualTo(3);
        }
    }

    static Stream<Named<Call>> callsToTheirEnd() {
        return calls().filter(call -> !call.getName().equals("firstRound"));
    }

    @ParameterizedTest
    @MethodSource("callsToTheirEnd")
    @Requirement("N26-HTTP-013")
    void aCallWhoseLaterRoundBreaksFailsAndThePersonIsAskedOnce(Call call) throws Exception {
        breakSecondRound("tools/call", 1, DONE);
        try (McpClient client = connect()) {
            assertThatThrownBy(() -> call.with(client)).isInstanceOf(ConnectionException.class);
        }
        assertThat(count("tools/call")).isEqualTo(2);
        assertThat(asked).hasValue(1);
    }

    @Test
    @Requirement("N26-HTTP-013")
    void aRequestThatReadsIsSentOnlyOnceMore() throws Exception {
        answers.put("resources/list", params -> "broken");
        try (McpClient client = connect()) {
            assertThatThrownBy(client::resources).isInstanceOf(ConnectionException.class);
            assertThat(count("resources/list")).isEqualTo(2);
            assertThatThrownBy(() -> client.request("resources/list", JsonObject.EMPTY))
                    .isInstanceOf(ConnectionException.class);
            assertThat(count("resources/list")).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @MethodSource("calls")
    @Requirement("N26-HTTP-013")
    void aCallWhoseStreamBreaksFails(Call call) throws Exception {
        answers.put("tools/call", params -> "broken");
        try (McpClient client = connect()) {
            assertThatThrownBy(() -> call.with(client)).isInstanceOf(ConnectionException.class);
        }
        assertThat(count("tools/call")).isEqualTo(1);
    }

    @Test
    @Requirement("N26-HTTP-013")
    void aRawRequestOfAnotherMethodFailsWhenItsStreamBreaks() throws Exception {
        answers.put("com.example/write", params -> "broken");
        try (McpClient client = connect()) {
            assertThatThrownBy(() -> client.request("com.example/write", JsonObject.EMPTY))
                    .isInstanceOf(ConnectionException.class);
        }
        assertThat(count("com.example/write")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {-32000, -32600, -32602, -32022, -32601})
    @Requirement("N26-BASE-016")
    void aRefusalMovesNoConnectionWhileDiscoveryIsAnswered(int code) throws Exception {
        answers.put(
                "tools/call",
                params -> "error:{\"code\": %s, \"message\": \"no\"}".formatted(code));
        try (McpClient client = connect(McpClient.named("desk", "1"))) {
            client.tools(); // so that nothing is doubtful
            assertThatThrownBy(() -> client.callTool("plain", JsonObject.EMPTY))
                    .isInstanceOfSatisfying(
                            JsonRpcException.class, e -> assertThat(e.code()).isEqualTo(code));
            assertThat(client.revision()).isEqualTo(Revision.V2026_07_28);
        }
        assertThat(count("tools/call")).isEqualTo(1);
        assertThat(count("initialize")).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {-32000, -32600, -32602})
    void aRefusalForNowIsNotFollowedByAnotherRequest(int code) throws Exception {
        answers.put(
                "tools/call",
                params ->
                        "error:{\"code\": %s, \"message\": \"busy\", \"data\": {\"retryable\": true}}"
                                .formatted(code));
        try (McpClient client = connect(McpClient.named("desk", "1"))) {
            client.tools(); // so that nothing is doubtful
            int before = posts.size();
            assertThatThrownBy(() -> client.callTool("plain", JsonObject.EMPTY))
                    .isInstanceOfSatisfying(
                            JsonRpcException.class, e -> assertThat(e.code()).isEqualTo(code));
            assertThat(posts.subList(before, posts.size()))
                    .extracting(Post::method)
                    .containsExactly("tools/call");
        }
    }
}
