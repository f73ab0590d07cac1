package dev.fairlead.acceptance;

import static dev.fairlead.test.shared.PerRequestFrames.headers;
import static dev.fairlead.test.shared.PerRequestFrames.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Revision;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.test.shared.PerRequestFrames;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Refusals of requests of revision 2026-07-28, on real sockets. */
@Timeout(120)
class PerRequestRefusalsHttpTest extends PerRequestRefusals {
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
}
