package dev.fairlead.acceptance;

import static dev.fairlead.test.support.Awaiting.await;
import static dev.fairlead.test.support.ScriptedHttp.json;
import static dev.fairlead.test.support.ScriptedHttp.respond;

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
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.tasks.TaskStatus;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.test.support.ScriptedHttp;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients of both eras over HTTP: servers of every age, and features of HTTP alone. */
@Timeout(120)
class ClientErasHttpTest {
    private static final String GREETING =
            """
            {"protocolVersion": "2025-06-18", "capabilities": {},
             "serverInfo": {"name": "old", "version": "1"}}\
            """;

    private final List<String> methods = new CopyOnWriteArrayList<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private HttpServer old;
    private volatile JsonObject lastRequest = JsonObject.EMPTY;
    private volatile Answerer discovery = exchange -> respond(exchange, 404);

    /** Answers {@code server/discover}. */
    @FunctionalInterface
    private interface Answerer {
        void answer(HttpExchange exchange) throws IOException;
    }

    @BeforeEach
    void serve() throws IOException {
        old = ScriptedHttp.create();
        old.createContext("/mcp", this::handle);
        old.start();
    }

    @AfterEach
    void stop() {
        over.countDown();
        old.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        if (!exchange.getRequestMethod().equals("POST")) {
            respond(exchange, 405);
            return;
        }
        JsonObject message = (JsonObject) JsonValue.parse(ScriptedHttp.body(exchange));
        String method = message.string("method");
        methods.add(method);
        lastRequest = message;
        switch (method) {
            case "server/discover" -> discovery.answer(exchange);
            case "initialize" -> result(exchange, message, GREETING);
            case "ping" -> result(exchange, message, "{}");
            case "usual/error" ->
                    json(
                            exchange,
                            200,
                            "{\"jsonrpc\": \"2.0\", \"id\": %s, \"error\": {\"code\": -32602, \"message\": \"no\"}}"
                                    .formatted(message.get("id")));
            default -> respond(exchange, 202);
        }
    }

    private static void result(HttpExchange exchange, JsonObject request, String result)
            throws IOException {
        json(
                exchange,
                200,
                "{\"jsonrpc\": \"2.0\", \"id\": %s, \"result\": %s}"
                        .formatted(request.get("id"), result));
    }

    private static void page(HttpExchange exchange, int status) throws IOException {
        respond(exchange, status, "text/html", "<html>no such page</html>");
    }

    private McpClient connect() throws InterruptedException {
        return connect(client());
    }

    private McpClient connect(McpClient.Builder client) throws InterruptedException {
        return client.connect(Http.to("http://127.0.0.1:" + old.getAddress().getPort() + "/mcp"));
    }

    private static McpClient.Builder client() {
        return McpClient.named("both", "1").revisions(Revision.V2024_11_05, Revision.V2026_07_28);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 405, 406, 415, 422, 200})
    @Requirement({"N26-LIFE-014", "N26-LIFE-015"})
    void aForeignAnswerLeadsToAHandshakeWhichIsRemembered(int status) throws Exception {
        discovery = exchange -> page(exchange, status);
        try (McpClient client = connect()) {
            assertThat(client.revision()).isEqualTo(Revision.V2025_06_18);
        }
        connect().close();
        assertThat(methods.stream().filter("server/discover"::equals)).hasSize(1);
        assertThat(methods.stream().filter("initialize"::equals)).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"400, -32600", "400, -32000", "404, -32601", "200, -32601", "400, -32602"})
    void anErrorOfAnOlderServerLeadsToAHandshake(int status, int code) throws Exception {
        discovery =
                exchange ->
                        json(
                                exchange,
                                status,
                                "{\"jsonrpc\": \"2.0\", \"id\": null, \"error\": {\"code\": %s,"
                                                .formatted(code)
                                        + " \"message\": \"no session\"}}");
        try (McpClient client = connect()) {
            assertThat(client.revision()).isEqualTo(Revision.V2025_06_18);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 407, 408, 429, 500, 502, 503})
    @Requirement("N26-AUTH-024")
    void whatSaysNothingOfTheEraFails(int status) {
        discovery = exchange -> page(exchange, status);
        assertThatThrownBy(this::connect).isInstanceOf(ConnectionException.class);
        discovery =
                exchange ->
                        json(
                                exchange,
                                status,
                                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"error\": {\"code\": -32603,"
                                        + " \"message\": \"down\"}}");
        assertThatThrownBy(this::connect).isInstanceOf(ConnectionException.class);
        assertThat(methods).containsOnly("server/discover");
    }

    @Test
    void aServerThatDoesNotAnswerFails() throws Exception {
        discovery =
                exchange -> {
                    try {
                        over.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                };
        await("a request that was sent in time")
                .until(
                        () -> {
                            assertThatThrownBy(
                                            () ->
                                                    connect(
                                                            client().requestTimeout(
                                                                            Duration.ofMillis(
                                                                                    300))))
                                    .isInstanceOf(RequestTimeoutException.class);
                            return !methods.isEmpty();
                        });
        assertThat(methods).containsOnly("server/discover");
    }

    record Name(String name) {}

    @Test
    @Requirement({
        "N26-TASK-005",
        "N26-TASK-016",
        "N26-TASK-020",
        "N26-TASK-021",
        "N26-TASK-028",
        "N26-TASK-037"
    })
    void aTaskOfTheExtensionIsHiddenFollowedAskedAndFoundAgain() throws Exception {
        try (McpServer server = tasks();
                McpClient client = asking(client()).connect(to(server));
                McpClient accepting = asking(client()).acceptTasks().connect(to(server))) {
            // hidden: the server refuses the plain call, and makes a task of the second one
            assertThat(client.callTool("must", JsonObject.of("name", "Ada")).text())
                    .isEqualTo("Hello Ada of Oslo");
            assertThat(client.callTool("may", JsonObject.of("name", "Ada")).text())
                    .isEqualTo("plain Ada");
            assertThat(accepting.callTool("may", JsonObject.of("name", "Ada")).text())
                    .isEqualTo("task Ada");

            var handle = client.tool("must", Name.class, String.class).start(new Name("Bob"));
            assertThat(handle.await(Duration.ofSeconds(30))).isEqualTo("Hello Bob of Oslo");
            var id = handle.id().orElseThrow();
            assertThat(client.task(id, String.class).await()).isEqualTo("Hello Bob of Oslo");
            assertThat(client.getTask(id).status()).isEqualTo(TaskStatus.COMPLETED);
            assertThat(client.taskResult(id).toObject().toString()).contains("Hello Bob of Oslo");
            assertThatThrownBy(client::tasks)
                    .isInstanceOf(dev.fairlead.protocol.CapabilityException.class);
        }
    }

    private static McpClient.Builder asking(McpClient.Builder builder) {
        return builder.onElicitForm(form -> Answer.accept(new Name("Oslo")));
    }

    private static dev.fairlead.http.client.HttpConnector to(McpServer server) {
        return Http.to(server.serve(Http.port(0)).uri());
    }

    private static McpServer tasks() {
        return McpServer.named("tasks", "1")
                .tasks(Tasks.inMemory())
                .tool("must", "Asks in a task", Name.class, String.class)
                .task(TaskSupport.REQUIRED)
                .handle(
                        (input, call) ->
                                "Hello "
                                        + input.name()
                                        + " of "
                                        + call.elicit("Where?", Name.class).orElseThrow().name())
                .tool("may", "May be a task", Name.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle(
                        (input, call) ->
                                (call.task().isPresent() ? "task " : "plain ") + input.name())
                .build();
    }

    @Test
    @Requirement({"N26-CACHE-006", "N26-CACHE-007"})
    void whatIsKeptForOneCallerIsNotGivenToAnother() throws Exception {
        AtomicInteger reads = new AtomicInteger();
        try (McpServer server =
                        McpServer.named("private", "1")
                                .resource("a://who", "who", String.class)
                                .cacheFor(Duration.ofHours(1))
                                .handle((request, call) -> "read " + reads.incrementAndGet())
                                .build();
                McpClient client = client().connect(to(server))) {
            assertThat(read(client.withHeaders(Map.of("X-User", "ann")))).contains("read 1");
            assertThat(read(client.withHeaders(Map.of("X-User", "bob")))).contains("read 2");
            assertThat(read(client.withHeaders(Map.of("X-User", "ann")))).contains("read 1");
            assertThat(read(client)).contains("read 3");
            assertThat(reads).hasValue(3);
        }
    }

    private static String read(ClientRequests client) throws InterruptedException {
        return client.readResource("a://who").contents().toString();
    }
}
