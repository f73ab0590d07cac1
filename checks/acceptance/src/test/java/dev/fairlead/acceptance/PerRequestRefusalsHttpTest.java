package dev.fairlead.acceptance;

import static dev.fairlead.acceptance.PerRequestFrames.headers;
import static dev.fairlead.acceptance.PerRequestFrames.request;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.RequestStateRefusal.Cause;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.RequestState;
import dev.fairlead.server.handler.Question;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.test.support.ClosingTest;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Refusals of requests of revision 2026-07-28, on real sockets. */
@Timeout(120)
class PerRequestRefusalsHttpTest extends ClosingTest {
    private static final String ABLE =
            "{\"elicitation\": {}, \"extensions\": {\"io.modelcontextprotocol/tasks\": {}}}";
    private static final String NONE = "{}";
    private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes();

    record Name(String name) {}

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final HttpClient client = closedLater(client("127.0.0.1"));

    private static HttpClient client(String address) {
        try {
            return HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .localAddress(InetAddress.getByName(address))
                    .build();
        } catch (java.net.UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void end() {
        end.countDown();
    }

    private McpServer.Builder builder(String name) {
        return McpServer.named(name, "1.0.0")
                .requestState(RequestState.keys(List.of(KEY)))
                .maxListenStreamsPerCaller(2)
                .tasks(Tasks.inMemory().maxPerOwner(1))
                .tool("ask", "Asks for a name", NoInput.class, String.class)
                .handle((none, call) -> call.ask(question()).orElseThrow().name())
                .tool("other", "Asks for a name, too", NoInput.class, String.class)
                .handle((none, call) -> call.ask(question()).orElseThrow().name())
                .tool("wait", "Waits for the test", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            begun.countDown();
                            end.await();
                            return "waited";
                        })
                .tool("busy", "Waits in a task", NoInput.class, String.class)
                .task(TaskSupport.REQUIRED)
                .handle(
                        (none, call) -> {
                            end.await();
                            return "waited";
                        })
                .tool("later", "Asks in a task", NoInput.class, String.class)
                .task(TaskSupport.REQUIRED)
                .handle((none, call) -> call.ask(question()).orElseThrow().name());
    }

    private static Question<Answer<Name>> question() {
        return Question.elicit("Your name?", Name.class).as("user_name");
    }

    private HttpServing serve(Revision... revisions) {
        return serve(builder("s").revisions(revisions), port -> port);
    }

    private HttpServing serve(McpServer.Builder server, UnaryOperator<HttpListener> options) {
        McpServer built = closedLater(server.build());
        return closedLater(built.serve(options.apply(PerRequestFrames.listener())));
    }

    private HttpServing both() {
        return serve(Revision.V2025_11_25, Revision.V2026_07_28);
    }

    private HttpResponse<String> post(HttpServing to, String body, Map<String, String> headers)
            throws Exception {
        return client.send(
                PerRequestFrames.post(to.uri(), body, headers),
                HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> call(HttpServing to, String tool, String more) throws Exception {
        return post(to, callOf(tool, more), headers("tools/call", tool));
    }

    private static String callOf(String tool, String more) {
        String members = "\"name\": \"" + tool + "\", \"arguments\": {}" + more;
        return request("7", "tools/call", members, ABLE, "");
    }

    private static JsonObject json(HttpResponse<String> answer) {
        return (JsonObject) JsonValue.parse(answer.body());
    }

    private static JsonObject result(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return json(answer).object("result");
    }

    private static JsonObject assertRefused(HttpResponse<String> answer, int status, int code) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        JsonObject error = json(answer).object("error");
        assertThat(error.get("code")).as(answer.body()).isEqualTo(JsonValue.of(code));
        return error;
    }

    private static void assertRetryable(HttpResponse<String> answer) {
        assertThat(json(answer).object("error").object("data").get("retryable"))
                .as(answer.body())
                .isEqualTo(JsonValue.of(true));
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    }

    @Nested
    class OrderOfChecks {
        /** A request in which everything is wrong from one check on. */
        @ParameterizedTest
        @CsvSource({
            // the fault besides all that follow, status, code
            "meta, 400, -32602",
            "header, 400, -32020",
            "version, 400, -32022",
            "method header, 400, -32020",
            "name header, 400, -32020",
            "extension, 400, -32021",
            "parameters, 200, -32602"
        })
        @Requirement({"N26-LIFE-005", "N26-HDR-005", "N26-META-004", "N26-HTTP-015"})
        void theFirstThatFailsAnswers(String first, int status, int code) throws Exception {
            List<String> checks =
                    List.of(
                            "meta",
                            "header",
                            "version",
                            "method header",
                            "name header",
                            "extension",
                            "parameters");
            List<String> wrong = checks.subList(checks.indexOf(first), checks.size());
            String id = wrong.contains("parameters") ? "unknown" : "none";
            String body =
                    request(
                            "7",
                            "tasks/get",
                            "\"taskId\": \"" + id + "\"",
                            wrong.contains("meta")
                                    ? "7"
                                    : wrong.contains("extension") ? NONE : ABLE,
                            "");
            Map<String, String> headers = headers("tasks/get", id);
            if (wrong.contains("version")) {
                body = body.replace("2026-07-28", "2099-01-01");
                headers.put("MCP-Protocol-Version", "2099-01-01");
            }
            if (wrong.contains("header")) {
                headers.put("MCP-Protocol-Version", "2098-01-01");
            }
            if (wrong.contains("method header")) {
                headers.put("Mcp-Method", "tools/list");
            }
            if (wrong.contains("name header")) {
                headers.remove("Mcp-Name");
            }
            assertRefused(post(both(), body, headers), status, code);
        }

        /** The refusal names the broken rule: the revision itself is supported. */
        @Test
        void aResponseOfAClientThatIsHalfNewIsNamed() throws Exception {
            McpServer server = closedLater(builder("half").build());
            HttpServing serving = closedLater(server.serve(Http.port(0)));
            HttpRequest response =
                    HttpRequest.newBuilder(serving.uri())
                            .header("Accept", "application/json, text/event-stream")
                            .header("Content-Type", "application/json")
                            .header("MCP-Protocol-Version", "2026-07-28")
                            .POST(
                                    HttpRequest.BodyPublishers.ofString(
                                            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"))
                            .build();

            HttpResponse<String> answer =
                    client.send(response, HttpResponse.BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body())
                    .contains(
                            "Revision 2026-07-28 has no responses of clients: an answer comes in"
                                    + " inputResponses of the next request")
                    .doesNotContain("not supported");
        }

        @Test
        @Requirement({"N26-HTTP-014", "N26-HDR-005"})
        void anUnknownMethodIsFoundOnlyWithTheRightHeader() throws Exception {
            HttpServing serving = both();
            String body = request("7", "unknown/method", "");
            assertRefused(post(serving, body, headers("tools/list", null)), 400, -32020);
            assertRefused(post(serving, body, headers("unknown/method", null)), 404, -32601);
        }

        @Test
        @Requirement({"N26-LIFE-016", "N26-HTTP-014"})
        void aHandshakeWithAClaimIsUnknownAndNamesTheRevisions() throws Exception {
            String body = request("7", "initialize", "\"protocolVersion\": \"2025-11-25\"");
            JsonObject error =
                    assertRefused(post(both(), body, headers("initialize", null)), 404, -32601);
            assertThat(error.object("data").toJson())
                    .isEqualTo("{\"supported\":[\"2026-07-28\",\"2025-11-25\"]}");
        }

        @Test
        @Requirement("N26-HDR-005")
        void aRevisionThatTheHeadersNameTwiceIsRefused() throws Exception {
            HttpServing serving = both();
            HttpRequest once =
                    PerRequestFrames.post(
                            serving.uri(),
                            request("7", "tools/list", ""),
                            headers("tools/list", null));
            for (String second : List.of("2026-07-28", "2025-11-25")) {
                HttpRequest twice =
                        HttpRequest.newBuilder(once, (name, value) -> true)
                                .header("MCP-Protocol-Version", second)
                                .build();
                assertRefused(
                        client.send(twice, HttpResponse.BodyHandlers.ofString()), 400, -32020);
            }
        }

        @Test
        @Requirement({"N26-LIFE-005", "N26-BASE-014"})
        void aHandshakeRevisionIsNoneOfARequest() throws Exception {
            String body = request("7", "tools/list", "").replace("2026-07-28", "2025-11-25");
            Map<String, String> headers = headers("tools/call", null);
            headers.put("MCP-Protocol-Version", "2025-11-25");
            JsonObject error = assertRefused(post(both(), body, headers), 400, -32022);
            assertThat(error.object("data").toJson())
                    .isEqualTo(
                            "{\"supported\":[\"2026-07-28\",\"2025-11-25\"],"
                                    + "\"requested\":\"2025-11-25\"}");
        }
    }

    @Nested
    class WithoutSessions {
        private static final String PLAIN =
                "{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": \"%s\", \"params\": {}}";

        private HttpServing alone() {
            return serve(Revision.V2026_07_28);
        }

        @ParameterizedTest
        @ValueSource(strings = {"tools/list", "ping", "tools/call", "unknown/method"})
        @Requirement({"N26-LIFE-005", "N26-LIFE-013"})
        void aRequestThatNamesNoRevisionIsRefusedWithThoseThatAreServed(String method)
                throws Exception {
            Map<String, String> headers = headers(method, null);
            headers.remove("MCP-Protocol-Version");
            JsonObject error =
                    assertRefused(post(alone(), PLAIN.formatted(method), headers), 400, -32022);
            assertThat(error.object("data").toJson())
                    .isEqualTo("{\"supported\":[\"2026-07-28\"],\"requested\":\"\"}");
        }

        @Test
        void theHeaderOfAHandshakeRevisionIsWhatWasRequested() throws Exception {
            Map<String, String> headers = headers("tools/list", null);
            headers.put("MCP-Protocol-Version", "2025-06-18");
            JsonObject error =
                    assertRefused(
                            post(alone(), PLAIN.formatted("tools/list"), headers), 400, -32022);
            assertThat(error.object("data").string("requested")).isEqualTo("2025-06-18");
        }

        @Test
        @Requirement("N26-META-004")
        void aRequestWhoseHeaderAloneNamesTheRevisionLacksItInTheBody() throws Exception {
            assertRefused(
                    post(alone(), PLAIN.formatted("tools/list"), headers("tools/list", null)),
                    400,
                    -32602);
            Map<String, String> headers = headers("server/discover", null);
            headers.remove("MCP-Protocol-Version");
            assertRefused(post(alone(), PLAIN.formatted("server/discover"), headers), 400, -32602);
        }

        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        void aHandshakeIsAnsweredWhateverItsHeaderNames(boolean stateless) throws Exception {
            HttpServing serving = serve(builder("s"), port -> stateless ? port.stateless() : port);
            String initialize =
                    "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"initialize\", \"params\":"
                            + " {\"protocolVersion\": \"2025-11-25\", \"capabilities\": {},"
                            + " \"clientInfo\": {\"name\": \"c\", \"version\": \"1\"}}}";
            var answer = post(serving, initialize, mixed("2026-07-28"));
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).contains("\"protocolVersion\":\"2025-11-25\"");
            String session = answer.headers().firstValue("Mcp-Session-Id").orElse("");
            assertThat(session.isEmpty()).isEqualTo(stateless);
            if (!stateless) { // a notification is the session's, and a request names the difference
                Map<String, String> mixed = mixed("2026-07-28");
                mixed.put("Mcp-Session-Id", session);
                String initialized =
                        "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}";
                assertThat(post(serving, initialized, mixed).statusCode()).isEqualTo(202);
                assertNamesTheDifference(post(serving, PLAIN.formatted("tools/list"), mixed));
            }
        }

        /** The headers of a request that is not of the revision that its header names. */
        private static Map<String, String> mixed(String version) {
            Map<String, String> headers = headers("ignored", null);
            headers.put("MCP-Protocol-Version", version);
            headers.remove("Mcp-Method");
            return headers;
        }

        private static void assertNamesTheDifference(HttpResponse<String> answer) {
            assertThat(answer.statusCode()).isEqualTo(400);
            JsonObject error = ((JsonObject) JsonValue.parse(answer.body())).object("error");
            assertThat(error.get("code")).isEqualTo(JsonValue.of(-32602));
            assertThat(error.string("message"))
                    .contains("_meta.io.modelcontextprotocol/protocolVersion is missing")
                    .endsWith(
                            ", but the header MCP-Protocol-Version is 2026-07-28; in a session it"
                                    + " names the revision that initialize agreed on");
        }

        @Test
        void eachErrorOfAHalfNewRequestNamesTheDifference() throws Exception {
            HttpServing serving = serve(builder("s"), port -> port);
            assertNamesTheDifference(
                    post(serving, PLAIN.formatted("tools/list"), headers("tools/list", null)));

            var probe = post(serving, PLAIN.formatted("server/discover"), mixed("2025-11-25"));
            assertThat(probe.statusCode()).isEqualTo(404);
            assertThat(probe.body())
                    .contains("-32601")
                    .contains("server/discover is of revision 2026-07-28, but the request has no");

            Map<String, String> older = headers("tools/list", null);
            older.put("MCP-Protocol-Version", "2025-11-25");
            var mixed = post(serving, request("7", "tools/list", "", ABLE, ""), older);
            assertThat(mixed.statusCode()).isEqualTo(400);
            assertThat(mixed.body())
                    .contains("-32020")
                    .contains("MCP-Protocol-Version is 2025-11-25, but the body has 2026-07-28");
        }

        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        @Requirement({"N26-BASE-005", "N26-HTTP-004"})
        void aResponseIsRefused(boolean stateless) throws Exception {
            String response = "{\"jsonrpc\": \"2.0\", \"id\": 7, \"result\": {}}";
            String failure =
                    "{\"jsonrpc\": \"2.0\", \"id\": 7, \"error\": {\"code\": 1, \"message\":"
                            + " \"\"}}";
            Map<String, String> without = headers("tools/list", null);
            without.remove("MCP-Protocol-Version");
            for (Revision[] revisions :
                    List.of(
                            new Revision[] {Revision.V2026_07_28},
                            new Revision[] {Revision.V2025_11_25, Revision.V2026_07_28})) {
                HttpServing serving =
                        serve(
                                builder("s").revisions(revisions),
                                port -> stateless ? port.stateless() : port);
                for (Map<String, String> headers : List.of(without, headers("tools/list", null))) {
                    assertRefused(post(serving, response, headers), 400, -32600);
                    assertRefused(post(serving, failure, headers), 400, -32600);
                }
            }
        }
    }

    @Nested
    class Messages {
        @Test
        @Requirement({"N26-BASE-002", "N26-BASE-003"})
        void anIdThatIsNullIsNoId() throws Exception {
            String body = request("null", "tools/list", "");
            HttpResponse<String> answer = post(both(), body, headers("tools/list", null));
            assertRefused(answer, 400, -32600);
        }

        @Test
        @Requirement({"N26-HTTP-012", "N26-HTTP-004"})
        void aCancellationByPostHasNoEffectOnTheRequestThatItNames() throws Exception {
            HttpServing serving = both();
            var waiting =
                    client.sendAsync(
                            PerRequestFrames.post(
                                    serving.uri(),
                                    callOf("wait", ""),
                                    headers("tools/call", "wait")),
                            HttpResponse.BodyHandlers.ofString());
            begun.await();
            String cancel =
                    "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\","
                            + " \"params\": {\"requestId\": 7%s}}";
            String claim =
                    ", \"_meta\": {\"io.modelcontextprotocol/protocolVersion\": \"2026-07-28\"}";
            for (String more : List.of("", claim)) {
                Map<String, String> headers = headers("notifications/cancelled", null);
                assertThat(post(serving, cancel.formatted(more), headers).statusCode())
                        .isEqualTo(202);
                headers.remove("MCP-Protocol-Version");
                assertThat(post(serving, cancel.formatted(more), headers).statusCode())
                        .isEqualTo(202);
            }

            end.countDown();

            assertThat(waiting.get(30, TimeUnit.SECONDS).body()).contains("waited");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "\"io.modelcontextprotocol/logLevel\": \"loud\"",
                    "\"io.modelcontextprotocol/logLevel\": 7",
                    "\"progressToken\": {}",
                    "\"progressToken\": 1.5"
                })
        @Requirement({"N26-LOG-003", "N26-PROG-001", "N26-HTTP-019"})
        void malformedMembersThatARequestCanDoWithoutAreRefused(String member) throws Exception {
            String body = request("7", "tools/list", "", NONE, ", " + member);
            JsonObject error =
                    assertRefused(post(both(), body, headers("tools/list", null)), 200, -32602);
            assertThat(error.string("message"))
                    .contains(member.contains("logLevel") ? "logLevel" : "progressToken");
        }

        /** None names its client either. */
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    ", \"io.modelcontextprotocol/clientInfo\": null",
                    ", \"io.modelcontextprotocol/clientInfo\": 7",
                    ", \"io.modelcontextprotocol/clientInfo\": {\"name\": 7}",
                    ", \"io.modelcontextprotocol/clientInfo\": [\"ann\"]"
                })
        @Requirement("N26-META-004")
        void aClientThatIsNotNamedIsServed(String member) throws Exception {
            String body = request("7", "tools/list", "", NONE, member);
            assertThat(result(post(both(), body, headers("tools/list", null))).has("tools"))
                    .isTrue();
        }

        @ParameterizedTest
        @ValueSource(strings = {"\"AAAA\"", "\"\"", "7", "\"%%%\""})
        @Requirement("N26-PAGE-002")
        void aCursorThatIsNoneIsRefused(String cursor) throws Exception {
            String body = request("7", "tools/list", "\"cursor\": " + cursor);
            assertRefused(post(both(), body, headers("tools/list", null)), 200, -32602);
        }
    }

    @Nested
    class Retries {
        private static final String ANSWER =
                "{\"user_name\": {\"action\": \"accept\", \"content\": {\"name\": \"Ada\"}}}";

        private final McpServer asking =
                closedLater(
                        builder("s").revisions(Revision.V2025_11_25, Revision.V2026_07_28).build());
        private final HttpServing serving = closedLater(asking.serve(PerRequestFrames.listener()));

        private String state() throws Exception {
            JsonObject asked = result(call(serving, "ask", ""));
            assertThat(asked.string("resultType")).isEqualTo("input_required");
            return asked.string("requestState");
        }

        private static String retry(String state, String responses) {
            return ", \"requestState\": "
                    + new JsonString(state).toJson()
                    + ", \"inputResponses\": "
                    + responses;
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "null",
                    "{}",
                    "{\"other\": {\"action\": \"decline\"}}",
                    "{\"USER_NAME\": {\"action\": \"decline\"}, \"\": {\"action\": \"decline\"}}"
                })
        @Requirement("N26-MRTR-017")
        void whatIsMissingIsAskedAgain(String responses) throws Exception {
            JsonObject again = result(call(serving, "ask", retry(state(), responses)));
            assertThat(again.string("resultType")).isEqualTo("input_required");
            assertThat(again.object("inputRequests").members()).containsOnlyKeys("user_name");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{\"user_name\": 7}",
                    "{\"user_name\": null}",
                    "{\"user_name\": []}",
                    "{\"user_name\": {\"roots\": []}}",
                    "{\"user_name\": {\"action\": \"perhaps\"}}",
                    "{\"user_name\": {\"action\": \"accept\", \"content\": 7}}"
                })
        @Requirement("N26-MRTR-017")
        void whatIsNoAnswerIsRefusedByItsKeyAndNothingIsRecorded(String responses)
                throws Exception {
            String state = state();
            JsonObject error =
                    assertRefused(call(serving, "ask", retry(state, responses)), 200, -32602);
            assertThat(error.string("message")).contains("user_name");
            assertThat(call(serving, "ask", retry(state, ANSWER)).body()).contains("Ada");
        }

        @ParameterizedTest
        @ValueSource(strings = {"7", "[1]", "\"x\"", "true"})
        void responsesThatAreNoObjectAreRefused(String responses) throws Exception {
            assertRefused(call(serving, "ask", retry(state(), responses)), 200, -32602);
        }

        @Test
        void rightKeysAreUsedWithoutAStateOrWithOneThatIsNull() throws Exception {
            for (String state : List.of("", ", \"requestState\": null")) {
                String more = state + ", \"inputResponses\": " + ANSWER;
                assertThat(call(serving, "ask", more).body()).contains("Ada");
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"7", "{}", "[]", "false"})
        void aStateThatIsNoStringIsRefused(String state) throws Exception {
            String more = ", \"requestState\": " + state;
            JsonObject error = assertRefused(call(serving, "ask", more), 200, -32602);
            assertThat(error.has("data")).isFalse();
        }

        @Test
        void methodsThatCannotAskIgnoreBoth() throws Exception {
            String body =
                    request("7", "tools/list", "\"requestState\": 7, \"inputResponses\": false");
            assertThat(result(post(serving, body, headers("tools/list", null))).has("tools"))
                    .isTrue();
        }

        private void assertOneRefusal(HttpServing at, String tool, String state) throws Exception {
            assertThat(assertRefused(call(at, tool, retry(state, ANSWER)), 200, -32602).toJson())
                    .isEqualTo(
                            "{\"code\":-32602,\"message\":\"Invalid or expired requestState\","
                                    + "\"data\":{\"reason\":\"invalid_request_state\"}}");
        }

        @Test
        @Requirement({"N26-MRTR-012", "N26-MRTR-013"})
        void statesThatCannotBeUsedHaveOneRefusalAndTheCauseIsCounted() throws Exception {
            String state = state();
            char last = state.charAt(state.length() - 1);
            String spare = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
            int spareCharacters = (state.length() - "v1.".length()) % 4;
            String dangling = "A".repeat((5 - spareCharacters) % 4); // no byte ends with it
            for (String malformed :
                    List.of(
                            "",
                            "v1.",
                            "v2" + state.substring(2),
                            state + "=",
                            state + dangling,
                            state + " ",
                            " " + state)) {
                assertOneRefusal(serving, "ask", malformed);
            }
            assertThat(asking.refusedRequestStates(Cause.MALFORMED)).isEqualTo(7);

            int other = spare.indexOf(last) ^ 32;
            String altered = state.substring(0, state.length() - 1) + spare.charAt(other);
            assertOneRefusal(serving, "ask", altered);
            assertOneRefusal(serving, "ask", state + "AAAA");
            assertOneRefusal(serving, "other", state);
            String arguments = callOf("ask", retry(state, ANSWER));
            String otherArguments =
                    arguments.replace("\"arguments\": {}", "\"arguments\": {\"a\": 1}");
            assertRefused(post(serving, otherArguments, headers("tools/call", "ask")), 200, -32602);
            assertThat(asking.refusedRequestStates(Cause.MISMATCH)).isEqualTo(4);

            assertOneRefusal(serving, "ask", "v1." + "A".repeat(40_000));
            assertThat(asking.refusedRequestStates(Cause.TOO_LONG)).isOne();

            McpServer dropped =
                    closedLater(
                            builder("s")
                                    .requestState(RequestState.keys(List.of(reversed(KEY))))
                                    .revisions(Revision.V2026_07_28)
                                    .build());
            assertOneRefusal(closedLater(dropped.serve(PerRequestFrames.listener())), "ask", state);
            assertThat(dropped.refusedRequestStates(Cause.UNKNOWN_KEY)).isOne();
            McpServer named = closedLater(builder("t").revisions(Revision.V2026_07_28).build());
            assertOneRefusal(closedLater(named.serve(PerRequestFrames.listener())), "ask", state);
            assertThat(named.refusedRequestStates(Cause.MISMATCH)).isOne();

            assertThat(asking.refusedRequestStates()).isEqualTo(12);
            assertThat(call(serving, "ask", retry(state, ANSWER)).body()).contains("Ada");
        }

        private static byte[] reversed(byte[] key) {
            return new StringBuilder(new String(key, StandardCharsets.US_ASCII))
                    .reverse()
                    .toString()
                    .getBytes(StandardCharsets.US_ASCII);
        }
    }

    @Test
    void aCallThatComesWhileTheServerIsClosingMayBeSentAgain() throws Exception {
        HttpServing serving =
                serve(
                        builder("s").revisions(Revision.V2026_07_28),
                        port -> port.shutdownGrace(Duration.ofHours(1)));
        var waiting =
                client.sendAsync(
                        PerRequestFrames.post(
                                serving.uri(), callOf("wait", ""), headers("tools/call", "wait")),
                        HttpResponse.BodyHandlers.ofString());
        begun.await();
        Thread closing = Thread.ofPlatform().start(serving::close);
        HttpResponse<String> refused =
                await("the server is closing") // and may have closed idle connections
                        .ignoreExceptionsInstanceOf(IOException.class)
                        .until(
                                () -> call(serving, "ask", ""),
                                answer -> answer.statusCode() != 200);
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
        assertThat(json(refused).object("error").object("data"))
                .isEqualTo(JsonObject.of("retryable", true, "retryAfterMs", 1_000));

        end.countDown();
        assertThat(waiting.get().body()).contains("waited");
        closing.join();
    }

    @Nested
    class Listening {
        private HttpResponse<String> listen(HttpServing at, String members, String capabilities)
                throws Exception {
            return post(
                    at,
                    request("7", "subscriptions/listen", members, capabilities, ""),
                    headers("subscriptions/listen", null));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "\"notifications\": null",
                    "\"notifications\": 7",
                    "\"notifications\": {\"toolsListChanged\": \"yes\"}",
                    "\"notifications\": {\"resourceSubscriptions\": \"a:b\"}"
                })
        @Requirement("N26-SUB-001")
        void aFilterThatIsMissingOrMalformedIsRefused(String members) throws Exception {
            assertRefused(listen(both(), members, NONE), 200, -32602);
        }

        @Test
        void tooManyUrisAreRefused() throws Exception {
            String uris =
                    IntStream.rangeClosed(0, 1_000)
                            .mapToObj(i -> "\"memo://" + i + "\"")
                            .collect(Collectors.joining(", ", "[", "]"));
            HttpResponse<String> answer =
                    listen(
                            both(),
                            "\"notifications\": {\"resourceSubscriptions\": " + uris + "}",
                            NONE);
            assertRefused(answer, 429, -32603);
        }

        @Test
        @Requirement({"N26-TASK-024", "N26-TASK-026"})
        void tasksAreWatchedByThoseThatDeclareThemAlone() throws Exception {
            String tasks = "\"notifications\": {\"taskIds\": [\"a\"]}";
            assertRefused(listen(both(), tasks, NONE), 400, -32021);
        }

        @Test
        @Requirement("N26-SUB-014")
        void tooManyStreamsAreRefused() throws Exception {
            HttpServing serving = both();
            String members = "\"notifications\": {\"toolsListChanged\": true}";
            for (int i = 0; i < 2; i++) {
                HttpResponse<Stream<String>> stream =
                        client.send(
                                PerRequestFrames.post(
                                        serving.uri(),
                                        request("7", "subscriptions/listen", members),
                                        headers("subscriptions/listen", null)),
                                HttpResponse.BodyHandlers.ofLines());
                closedLater(stream.body());
                assertThat(stream.statusCode()).isEqualTo(200);
            }
            HttpResponse<String> third = listen(serving, members, NONE);
            assertRefused(third, 429, -32603);
            assertRetryable(third);
        }
    }

    @Nested
    class TasksOfTheExtension {
        private HttpResponse<String> update(HttpServing at, String id, String responses)
                throws Exception {
            String members = "\"taskId\": \"" + id + "\"" + responses;
            return post(
                    at,
                    request("7", "tasks/update", members, ABLE, ""),
                    headers("tasks/update", id));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    ", \"inputResponses\": null",
                    ", \"inputResponses\": 7",
                    ", \"inputResponses\": [1]",
                    ", \"inputResponses\": {\"q1\": 7}",
                    ", \"inputResponses\": {\"q1\": {\"roots\": []}}",
                    ", \"inputResponses\": {\"q1\": {\"action\": \"perhaps\"}}"
                })
        @Requirement({"N26-TASK-013", "N26-TASK-014"})
        void anUpdateThatIsMalformedIsRefusedAndChangesNothing(String responses) throws Exception {
            HttpServing serving = both();
            String id = result(call(serving, "later", "")).string("taskId");
            JsonObject waiting = awaitQuestion(serving, id);
            String key = waiting.object("inputRequests").members().keySet().iterator().next();

            assertRefused(update(serving, id, responses.replace("q1", key)), 200, -32602);

            assertThat(awaitQuestion(serving, id).object("inputRequests"))
                    .isEqualTo(waiting.object("inputRequests"));
        }

        @Test
        @Requirement({"N26-TASK-013", "N26-TASK-014", "N26-TASK-018", "N26-TASK-010"})
        void whatComesAfterTheEndIsAcknowledgedAndChangesNothing() throws Exception {
            HttpServing serving = both();
            String id = result(call(serving, "later", "")).string("taskId");
            String key =
                    awaitQuestion(serving, id).object("inputRequests").names().iterator().next();
            String answer =
                    ", \"inputResponses\": {\"%s\": {\"action\": \"accept\", \"content\":"
                            + " {\"name\": \"%s\"}}}";
            assertAcknowledged(update(serving, id, answer.formatted(key, "Ada")));
            JsonObject ended = awaitStatus(serving, id, "completed");
            assertThat(ended.object("result").toJson()).contains("Ada");

            assertAcknowledged(update(serving, id, answer.formatted(key, "Bob")));
            assertAcknowledged(update(serving, id, answer.formatted("q9", "Bob")));
            assertAcknowledged(update(serving, id, ", \"inputResponses\": {}"));
            assertAcknowledged(ofTask(serving, "tasks/cancel", id));

            assertThat(result(ofTask(serving, "tasks/get", id))).isEqualTo(ended);
        }

        private static void assertAcknowledged(HttpResponse<String> answer) {
            JsonObject result = result(answer);
            assertThat(result.string("resultType")).isEqualTo("complete");
            assertThat(result.names()).containsExactlyInAnyOrder("resultType", "_meta");
        }

        private HttpResponse<String> ofTask(HttpServing at, String method, String id)
                throws Exception {
            String body = request("7", method, "\"taskId\": \"" + id + "\"", ABLE, "");
            return post(at, body, headers(method, id));
        }

        private JsonObject awaitQuestion(HttpServing at, String id) throws Exception {
            return awaitStatus(at, id, "input_required");
        }

        private JsonObject awaitStatus(HttpServing at, String id, String status) throws Exception {
            JsonObject task;
            do {
                task = result(ofTask(at, "tasks/get", id));
            } while (!task.string("status").equals(status));
            return task;
        }
    }

    @Nested
    class Limits {
        @Test
        @Requirement("N26-BASE-016")
        void aRequestTooManyIsRefusedWithTheStatusOfALimit() throws Exception {
            HttpServing serving =
                    serve(
                            builder("s").revisions(Revision.V2025_11_25, Revision.V2026_07_28),
                            port -> port.maxRequests(1));
            client.sendAsync(
                    PerRequestFrames.post(
                            serving.uri(), callOf("wait", ""), headers("tools/call", "wait")),
                    HttpResponse.BodyHandlers.ofString());
            begun.await();

            HttpResponse<String> refused = call(serving, "wait", "");

            assertRefused(refused, 429, -32600);
            assertRetryable(refused);
            assertThat(json(refused).get("id")).isEqualTo(JsonValue.of(7));
        }

        @Test
        @Requirement("N26-BASE-016")
        void aStreamTooManyForTheEndpointIsRefusedWithTheStatusOfALimit() throws Exception {
            HttpServing serving =
                    serve(
                            builder("s").revisions(Revision.V2025_11_25, Revision.V2026_07_28),
                            port -> port.maxResultWaits(1));
            String listen =
                    request(
                            "7",
                            "subscriptions/listen",
                            "\"notifications\": {\"toolsListChanged\": true}");
            HttpResponse<Stream<String>> first =
                    client.send(
                            PerRequestFrames.post(
                                    serving.uri(), listen, headers("subscriptions/listen", null)),
                            HttpResponse.BodyHandlers.ofLines());
            closedLater(first.body());
            assertThat(first.statusCode()).isEqualTo(200);

            HttpResponse<String> second =
                    post(serving, listen, headers("subscriptions/listen", null));

            assertRefused(second, 429, -32600);
            assertRetryable(second);
        }

        @Test
        void callersOfHandshakeRevisionsWithoutSessionsAreCountedByAddress() throws Exception {
            HttpServing serving =
                    serve(
                            builder("s").revisions(Revision.V2025_11_25, Revision.V2026_07_28),
                            HttpListener::stateless);
            String task =
                    """
                    {"jsonrpc": "2.0", "id": 7, "method": "tools/call",
                     "params": {"name": "busy", "arguments": {}, "task": {}}}\
                    """;
            Map<String, String> headers = headers("tools/call", null);
            headers.put("MCP-Protocol-Version", "2025-11-25");
            assertThat(result(post(serving, task, headers)).has("task")).isTrue();
            assertThat(json(post(serving, task, headers)).object("error").get("code"))
                    .isEqualTo(JsonValue.of(-32000));
            HttpResponse<String> elsewhere =
                    closedLater(client("127.0.0.2"))
                            .send(
                                    PerRequestFrames.post(serving.uri(), task, headers),
                                    HttpResponse.BodyHandlers.ofString());
            assertThat(result(elsewhere).has("task")).isTrue();
        }
    }

    @Test
    void pagesMayReadTheHeadersOfAnAnswer() throws Exception {
        HttpServing serving =
                serve(
                        builder("s").revisions(Revision.V2026_07_28),
                        port -> port.allowOrigins("https://app.example"));
        Map<String, String> headers = headers("tools/list", null);
        headers.put("Origin", "https://app.example");
        HttpResponse<String> answer = post(serving, request("7", "tools/list", ""), headers);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(
                        answer.headers()
                                .firstValue("Access-Control-Expose-Headers")
                                .orElseThrow()
                                .split(", "))
                .contains("MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Retry-After");
    }
}
