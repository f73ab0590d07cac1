package dev.fairlead.acceptance;

import static dev.fairlead.test.shared.PerRequestFrames.headers;
import static dev.fairlead.test.shared.PerRequestFrames.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Revision;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.shared.PerRequestFrames;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.http.HttpResponse;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Limits of streams, tasks and callers of revision 2026-07-28, on real sockets. */
@Timeout(120)
class PerRequestLimitsHttpTest extends PerRequestRefusals {
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
