package dev.fairlead.acceptance;

import static dev.fairlead.test.shared.PerRequestFrames.headers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.test.shared.PerRequestFrames;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Requests of revision 2026-07-28 over HTTP, on real sockets. */
@Timeout(120)
class PerRequestHttpTest {
    private static final String CLOSED = "The server was closed before it answered";

    private static final String CLIENT =
            ", \"io.modelcontextprotocol/clientInfo\": {\"name\": \"peer\", \"version\": \"1\"}";

    record Name(String name) {}

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final McpServer server = server();
    private HttpServing serving = server.serve(PerRequestFrames.listener());

    private McpServer server() {
        return McpServer.named("hello", "1.0.0")
                .revisions(Revision.V2025_11_25, Revision.V2026_07_28)
                .tool("greet", "Greets", Name.class, String.class)
                .handle((person, call) -> "Hello, " + person.name() + "!")
                .tool("grüße", "Grüßt", Name.class, String.class)
                .handle((person, call) -> "Hallo, " + person.name() + "!")
                .tool("tell", "Tells", Name.class, String.class)
                .handle(
                        (person, call) -> {
                            call.log(LoggingLevel.INFO, "told");
                            return "told";
                        })
                .tool("need", "Needs", Name.class, String.class)
                .handle(
                        (person, call) -> {
                            throw CapabilityException.missing("sampling", "sampling/createMessage");
                        })
                .tool("notifyThenNeed", "Notifies, then needs", Name.class, String.class)
                .handle(
                        (person, call) -> {
                            call.log(LoggingLevel.INFO, "told");
                            throw CapabilityException.missing("sampling", "sampling/createMessage");
                        })
                .tool("wait", "Waits", Name.class, String.class)
                .handle(
                        (person, call) -> {
                            begun.countDown();
                            try {
                                new CountDownLatch(1).await();
                            } catch (InterruptedException e) {
                                interrupted.countDown();
                            }
                            return "waited";
                        })
                .build();
    }

    @AfterEach
    void close() {
        server.close();
        client.close();
    }

    private void serve(UnaryOperator<HttpListener> options) {
        serving.close();
        serving = server.serve(options.apply(PerRequestFrames.listener()));
    }

    private static String request(String id, String method, String members, String more) {
        return PerRequestFrames.request(id, method, members, "{}", CLIENT + more);
    }

    private static String call(String tool) {
        return request(
                "7",
                "tools/call",
                "\"name\": \"" + tool + "\", \"arguments\": {\"name\": \"Ada\"}",
                "");
    }

    private HttpResponse<String> post(String body, Map<String, String> headers)
            throws IOException, InterruptedException {
        return client.send(
                PerRequestFrames.post(serving.uri(), body, headers),
                HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<Stream<String>> listen() throws IOException, InterruptedException {
        String body =
                request(
                        "7",
                        "subscriptions/listen",
                        "\"notifications\": {\"toolsListChanged\": true}",
                        "");
        return client.send(
                PerRequestFrames.post(serving.uri(), body, headers("subscriptions/listen", null)),
                HttpResponse.BodyHandlers.ofLines());
    }

    private static JsonObject json(HttpResponse<String> answer) {
        return (JsonObject) JsonValue.parse(answer.body());
    }

    private static void assertRefused(HttpResponse<String> answer, int status, long code) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        JsonObject message = json(answer);
        assertThat(message.object("error").get("code")).isEqualTo(JsonValue.of(code));
        assertThat(message.get("id")).isEqualTo(JsonValue.of(7));
    }

    @Test
    @Requirement({"N26-HTTP-001", "N26-HTTP-003", "N26-HTTP-017", "N26-HDR-002", "N26-HDR-003"})
    void aCallNeedsNoSession() throws Exception {
        Map<String, String> headers = headers("tools/call", "greet");
        headers.put("Mcp-Session-Id", "none of yours");
        headers.put("Last-Event-ID", "1-2-3");
        HttpResponse<String> answer = post(call("greet"), headers);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Mcp-Session-Id")).isEmpty();
        assertThat(json(answer).object("result").string("resultType")).isEqualTo("complete");
        assertThat(server.sessions()).isZero();
    }

    @Test
    @Requirement({"N26-HDR-004", "N26-HDR-006", "N26-HDR-008"})
    void headersAreComparedAfterDecoding() throws Exception {
        String encoded =
                "=?base64?"
                        + Base64.getEncoder()
                                .encodeToString("grüße".getBytes(StandardCharsets.UTF_8))
                        + "?=";
        Map<String, String> headers = headers("tools/call", " " + encoded + " ");
        headers.remove("Mcp-Method");
        headers.put("mCP-mETHOD", "tools/call");
        assertThat(post(call("grüße"), headers).statusCode()).isEqualTo(200);
        headers.put("Mcp-Name", encoded.replace("?=", "=?="));
        assertRefused(post(call("grüße"), headers), 400, -32020);
        headers.put("Mcp-Name", "=?base64?/w==?=");
        assertRefused(post(call("grüße"), headers), 400, -32020);
    }

    @ParameterizedTest
    @CsvSource({
        "Mcp-Method,",
        "Mcp-Method,tools/list",
        "Mcp-Method,TOOLS/CALL",
        "Mcp-Name,",
        "Mcp-Name,other",
        "Mcp-Name,Greet",
        "MCP-Protocol-Version,",
        "MCP-Protocol-Version,2025-11-25",
        "MCP-Protocol-Version,v999"
    })
    @Requirement({"N26-HDR-001", "N26-HDR-005", "N26-BASE-012", "N26-HTTP-015"})
    void headersMustAgreeWithTheBody(String header, String value) throws Exception {
        Map<String, String> headers = headers("tools/call", "greet");
        headers.remove(header);
        if (value != null) {
            headers.put(header, value);
        }
        assertRefused(post(call("greet"), headers), 400, -32020);
    }

    @Test
    @Requirement({"N26-LIFE-005", "N26-HDR-005"})
    void anUnknownRevisionIsRefusedWithTheSupportedOnes() throws Exception {
        Map<String, String> headers = headers("tools/call", "greet");
        String body = call("greet").replace("2026-07-28", "v999.0.0");
        assertRefused(post(body, headers), 400, -32020);
        headers.put("MCP-Protocol-Version", "v999.0.0");
        HttpResponse<String> answer = post(body, headers);
        assertRefused(answer, 400, -32022);
        assertThat(json(answer).object("error").object("data").string("requested"))
                .isEqualTo("v999.0.0");
    }

    @Test
    @Requirement({"N26-META-004", "N26-HTTP-015"})
    void whatARequestMustSayIsNamed() throws Exception {
        HttpResponse<String> answer =
                post(
                        "{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": \"server/discover\"}",
                        headers("server/discover", null));
        assertRefused(answer, 400, -32602);
        Map<String, String> plain = headers("server/discover", null);
        plain.remove("MCP-Protocol-Version");
        assertRefused(
                post("{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": \"server/discover\"}", plain),
                404, // of an older revision, which does not have it
                -32601);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "initialize",
                "ping",
                "logging/setLevel",
                "resources/subscribe",
                "unknown/method"
            })
    @Requirement({"N26-HTTP-014", "N26-LIFE-016"})
    void removedMethodsAreNotFound(String method) throws Exception {
        assertRefused(post(request("7", method, "", ""), headers(method, null)), 404, -32601);
    }

    @Test
    @Requirement({"N26-META-006", "N26-HTTP-018", "N26-HTTP-019"})
    void aMissingCapabilityIsAStatusAsLongAsNothingWasSent() throws Exception {
        HttpResponse<String> answer = post(call("need"), headers("tools/call", "need"));
        assertRefused(answer, 400, -32021);
        assertThat(
                        json(answer)
                                .object("error")
                                .object("data")
                                .object("requiredCapabilities")
                                .toJson())
                .isEqualTo("{\"sampling\":{}}");
        String logged =
                request(
                        "7",
                        "tools/call",
                        "\"name\": \"notifyThenNeed\", \"arguments\": {\"name\": \"Ada\"}",
                        ", \"io.modelcontextprotocol/logLevel\": \"debug\"");
        HttpResponse<String> streamed = post(logged, headers("tools/call", "notifyThenNeed"));
        assertThat(streamed.statusCode()).isEqualTo(200);
        assertThat(streamed.headers().firstValue("Content-Type")).contains("text/event-stream");
        assertThat(streamed.body()).contains("notifications/message").contains("-32021");
    }

    @Test
    @Requirement({"N26-HTTP-008", "N26-HTTP-009", "N26-HTTP-013", "N26-LOG-002", "N26-HTTP-007"})
    void aStreamHasNoIdsAndEndsWithTheResponse() throws Exception {
        String logged =
                request(
                        "7",
                        "tools/call",
                        "\"name\": \"tell\", \"arguments\": {\"name\": \"Ada\"}",
                        ", \"io.modelcontextprotocol/logLevel\": \"info\"");
        HttpResponse<String> answer = post(logged, headers("tools/call", "tell"));
        assertThat(answer.headers().firstValue("X-Accel-Buffering")).contains("no");
        assertThat(answer.body().lines().filter(line -> line.startsWith("data: "))).hasSize(2);
        assertThat(answer.body().lines())
                .noneMatch(line -> line.startsWith("id:") || line.startsWith("retry:"));
        HttpResponse<String> silent = post(call("tell"), headers("tools/call", "tell"));
        assertThat(silent.headers().firstValue("Content-Type")).contains("application/json");
    }

    @Test
    @Requirement({"N26-HTTP-003", "N26-LOG-002", "N26-SUB-003"})
    void answersStreamOnAStatelessEndpointToo() throws Exception {
        serve(HttpListener::stateless);
        String logged =
                request(
                        "7",
                        "tools/call",
                        "\"name\": \"tell\", \"arguments\": {\"name\": \"Ada\"}",
                        ", \"io.modelcontextprotocol/logLevel\": \"info\"");
        HttpResponse<String> streamed = post(logged, headers("tools/call", "tell"));
        assertThat(streamed.headers().firstValue("Content-Type")).contains("text/event-stream");
        assertThat(streamed.body()).contains("notifications/message").contains("\"told\"");

        HttpResponse<Stream<String>> changes = listen();
        try (Stream<String> lines = changes.body()) {
            assertThat(lines.filter(line -> line.startsWith("data: ")).findFirst().orElseThrow())
                    .contains("notifications/subscriptions/acknowledged");
        }
    }

    @Test
    void answersAreJsonAloneWhereTheAuthorWantsThat() throws Exception {
        serve(port -> port.stateless().jsonAnswers());
        String logged =
                request(
                        "7",
                        "tools/call",
                        "\"name\": \"tell\", \"arguments\": {\"name\": \"Ada\"}",
                        ", \"io.modelcontextprotocol/logLevel\": \"info\"");
        HttpResponse<String> answer = post(logged, headers("tools/call", "tell"));
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(answer.body()).contains("told");
    }

    @Test
    @Requirement({"N26-BASE-001", "N26-HTTP-004", "N26-BASE-005"})
    void batchesAndResponsesAreRefusedAndNotificationsHaveNoEffect() throws Exception {
        Map<String, String> headers = headers("tools/call", "greet");
        HttpResponse<String> batch = post("[" + call("greet") + "]", headers);
        assertThat(batch.statusCode()).isEqualTo(400);
        assertThat(json(batch).object("error").get("code")).isEqualTo(JsonValue.of(-32600));
        HttpResponse<String> response =
                post("{\"jsonrpc\": \"2.0\", \"id\": 7, \"result\": {}}", headers);
        assertThat(response.statusCode()).isEqualTo(400);
        HttpResponse<String> cancelled =
                post(
                        "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\","
                                + " \"params\": {\"requestId\": 7}}",
                        headers);
        assertThat(cancelled.statusCode()).isEqualTo(202);
        assertThat(cancelled.body()).isEmpty();
    }

    @Test
    @Requirement("N26-HTTP-016")
    void aRevisionWithoutSessionsHasOnlyPostBesideSessions() throws Exception {
        for (String method : new String[] {"GET", "DELETE"}) {
            HttpRequest request =
                    HttpRequest.newBuilder(serving.uri())
                            .header("MCP-Protocol-Version", "2026-07-28")
                            .header("Accept", "text/event-stream")
                            .method(method, HttpRequest.BodyPublishers.noBody())
                            .build();
            HttpResponse<String> response =
                    client.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(405);
            assertThat(response.headers().firstValue("Allow")).hasValue("POST, OPTIONS");
            assertThat(response.body()).contains("Revision 2026-07-28 has no method but POST");
        }
    }

    @Test
    @Requirement("N26-HTTP-016")
    void aServerWithoutSessionsHasOnlyPost() throws Exception {
        try (McpServer alone =
                        McpServer.named("new", "1")
                                .revisions(Revision.V2026_07_28)
                                .tool("greet", "Greets", Name.class, String.class)
                                .handle((person, call) -> "Hello")
                                .build();
                HttpServing only = alone.serve(PerRequestFrames.listener())) {
            for (String method : new String[] {"GET", "DELETE"}) {
                HttpRequest request =
                        HttpRequest.newBuilder(only.uri())
                                .method(method, HttpRequest.BodyPublishers.noBody())
                                .build();
                assertThat(client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
                        .isEqualTo(405);
            }
            HttpRequest request =
                    HttpRequest.newBuilder(only.uri())
                            .header("Content-Type", "application/json")
                            .header("Accept", "application/json, text/event-stream")
                            .POST(
                                    HttpRequest.BodyPublishers.ofString(
                                            "{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\":"
                                                    + " \"initialize\", \"params\":"
                                                    + " {\"protocolVersion\": \"2025-11-25\","
                                                    + " \"capabilities\": {}, \"clientInfo\":"
                                                    + " {\"name\": \"p\", \"version\": \"1\"}}}"))
                            .build();
            assertRefused(client.send(request, HttpResponse.BodyHandlers.ofString()), 400, -32022);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"loop", "jetty"})
    @Requirement({"N26-HTTP-011", "N26-HTTP-010", "N26-CANC-002"})
    void theLeavingOfTheClientIsCancellation(String engine) throws Exception {
        serve(
                port ->
                        port.engine(engine)
                                .streamAfter(Duration.ofMillis(50))
                                .heartbeat(Duration.ofMillis(200)));
        URI uri = serving.uri();
        String body = call("wait");
        try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
            StringBuilder head = new StringBuilder("POST /mcp HTTP/1.1\r\nHost: localhost\r\n");
            headers("tools/call", "wait")
                    .forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            head.append("Content-Length: " + bytes.length + "\r\n\r\n");
            socket.getOutputStream().write(head.toString().getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().write(bytes);
            InputStream in = socket.getInputStream();
            assertThat(in.read()).isEqualTo('H'); // the stream has begun
            begun.await();
        }
        interrupted.await();
    }

    @Test
    void theEndOfTheServerInterruptsWhatRuns() throws Exception {
        serve(port -> port.shutdownGrace(Duration.ofMillis(100)));
        HttpRequest request =
                PerRequestFrames.post(serving.uri(), call("wait"), headers("tools/call", "wait"));
        var answer = client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
        begun.await();

        serving.close();

        interrupted.await();
        // a slow client may lose its connection when the second for the last answers is over
        assertThat(answer.handle((last, lost) -> last == null ? CLOSED : last.body()).get())
                .contains(CLOSED);
    }

    @Test
    @Requirement({"N26-SUB-003", "N26-SUB-008", "N26-SUB-009"})
    void aStreamOfChangesEndsWithItsClientOrTheServer() throws Exception {
        HttpResponse<Stream<String>> answer = listen();
        assertThat(answer.headers().firstValue("Content-Type")).contains("text/event-stream");
        Iterator<String> data = answer.body().filter(line -> line.startsWith("data: ")).iterator();
        assertThat(data.next()).contains("notifications/subscriptions/acknowledged");
        server.update(
                changes ->
                        changes.tool("second", "Second", Name.class, String.class)
                                .handle((name, call) -> "second"));
        assertThat(data.next())
                .contains("notifications/tools/list_changed")
                .contains("\"io.modelcontextprotocol/subscriptionId\":7");
        Thread closing = Thread.ofVirtual().start(serving::close);
        assertThat(data.next()).contains("\"id\":7").contains("\"resultType\":\"complete\"");
        assertThat(data.hasNext()).isFalse();
        closing.join();
    }

    @Test
    void corsAllowsTheHeadersOfARequest() throws Exception {
        serve(port -> port.allowOrigins("https://app.example"));
        HttpRequest preflight =
                HttpRequest.newBuilder(serving.uri())
                        .method("OPTIONS", HttpRequest.BodyPublishers.noBody())
                        .header("Origin", "https://app.example")
                        .header("Access-Control-Request-Method", "POST")
                        .header("Access-Control-Request-Headers", "mcp-param-region, x-other")
                        .build();
        HttpResponse<String> answer = client.send(preflight, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.headers().firstValue("Access-Control-Allow-Headers").orElseThrow())
                .contains("Mcp-Method", "Mcp-Name", "mcp-param-region")
                .doesNotContain("x-other");
    }
}
