package dev.fairlead.acceptance;

import static dev.fairlead.test.shared.PerRequestFrames.headers;
import static dev.fairlead.test.shared.PerRequestFrames.request;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.test.shared.PerRequestFrames;
import dev.fairlead.test.support.ClosingTest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Things that a caller may not see look like unknown ones, on real sockets. Tokens are the names of
 * subjects.
 */
@Timeout(60)
class UnknownAndForeignHttpTest extends ClosingTest {
    private static final String ABLE = "{\"extensions\": {\"io.modelcontextprotocol/tasks\": {}}}";

    /** All claim this name, which is for display. */
    private static final String NAMED_ANN =
            ", \"io.modelcontextprotocol/clientInfo\": {\"name\": \"ann\", \"version\": \"1\"}";

    private final HttpClient client =
            closedLater(HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
    private final McpServer server =
            closedLater(
                    McpServer.named("s", "1")
                            .revisions(Revision.V2025_11_25, Revision.V2026_07_28)
                            .tasks(Tasks.inMemory().operationsPerSecond(1_000_000))
                            .resource("memo://open", "open", String.class)
                            .handle((request, call) -> "open")
                            .resource("memo://anns", "anns", String.class)
                            .visibleTo(caller -> caller.subject().equals("ann"))
                            .handle((request, call) -> "ann's")
                            .tool("work", "Works", NoInput.class, String.class)
                            .task(TaskSupport.REQUIRED)
                            .handle((none, call) -> "done")
                            .build());
    private final HttpServing serving =
            closedLater(
                    server.serve(
                            PerRequestFrames.listener()
                                    .stateless()
                                    .authorization(SubjectTokens.authorization())));

    private static Map<String, String> headersOf(String subject, String method, String name) {
        Map<String, String> headers = headers(method, name);
        headers.put("Authorization", "Bearer " + subject);
        return headers;
    }

    private JsonObject post(String body, Map<String, String> headers) throws Exception {
        HttpResponse<String> answer =
                client.send(
                        PerRequestFrames.post(serving.uri(), body, headers),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return (JsonObject) JsonValue.parse(answer.body());
    }

    private String start(String subject) throws Exception {
        String members = "\"name\": \"work\", \"arguments\": {}";
        return post(
                        request("7", "tools/call", members, ABLE, NAMED_ANN),
                        headersOf(subject, "tools/call", "work"))
                .object("result")
                .string("taskId");
    }

    /** A task whose time ends at once, which only clients of a handshake revision can ask for. */
    private String startBriefly(String subject) throws Exception {
        Map<String, String> headers = headersOf(subject, "tools/call", null);
        headers.put("MCP-Protocol-Version", "2025-11-25");
        return post(
                        """
                        {"jsonrpc": "2.0", "id": 7, "method": "tools/call",
                         "params": {"name": "work", "arguments": {}, "task": {"ttl": 1}}}\
                        """,
                        headers)
                .object("result")
                .object("task")
                .string("taskId");
    }

    private JsonObject ofTask(String subject, String method, String id) throws Exception {
        String members = "\"inputResponses\": {}, \"taskId\": \"" + id + "\"";
        return post(request("7", method, members, ABLE, NAMED_ANN), headersOf(subject, method, id));
    }

    @ParameterizedTest
    @ValueSource(strings = {"tasks/get", "tasks/update", "tasks/cancel"})
    @Requirement({"N26-TASK-023", "N26-TASK-036", "N26-META-008"})
    void idsOfNoTaskOfTheCallerAreRefusedAlike(String method) throws Exception {
        String own = start("bob");
        String foreign = start("ann");
        String expired = startBriefly("bob");
        await("the task has expired").until(() -> ofTask("bob", "tasks/get", expired).has("error"));

        for (String id : List.of(expired, foreign, "unknown", "a b", "../../etc")) {
            assertThat(ofTask("bob", method, id).object("error"))
                    .as(id)
                    .isEqualTo(JsonObject.of("code", -32602, "message", "Unknown task: " + id));
        }

        assertThat(ofTask("bob", method, own).has("result")).isTrue();
        assertThat(ofTask("ann", method, foreign).has("result")).isTrue();
    }

    @Test
    @Requirement({"N26-SUB-015", "N26-TASK-026", "N26-TASK-036"})
    void aFilterIsAcknowledgedWithoutWhatIsForeignOrUnknown() throws Exception {
        String own = start("bob");
        String foreign = start("ann");
        String filter =
                """
                "notifications": {
                  "resourceSubscriptions": ["memo://anns", "memo://open", "memo://none"],
                  "taskIds": ["%s", "unknown", "%s"]}\
                """
                        .formatted(foreign, own);

        JsonObject ofBob = acknowledged("bob", filter);
        assertThat(ofBob.get("resourceSubscriptions")).isEqualTo(JsonArray.of("memo://open"));
        assertThat(ofBob.get("taskIds")).isEqualTo(JsonArray.of(own));
        JsonObject ofAnn = acknowledged("ann", filter);
        assertThat(ofAnn.get("resourceSubscriptions"))
                .isEqualTo(JsonArray.of("memo://anns", "memo://open"));
        assertThat(ofAnn.get("taskIds")).isEqualTo(JsonArray.of(foreign));
    }

    private JsonObject acknowledged(String subject, String filter) throws Exception {
        HttpResponse<Stream<String>> answer =
                client.send(
                        PerRequestFrames.post(
                                serving.uri(),
                                request("7", "subscriptions/listen", filter, ABLE, NAMED_ANN),
                                headersOf(subject, "subscriptions/listen", null)),
                        HttpResponse.BodyHandlers.ofLines());
        Stream<String> lines = closedLater(answer.body());
        String first = lines.filter(line -> line.startsWith("data: ")).findFirst().orElseThrow();
        JsonObject message = (JsonObject) JsonValue.parse(first.substring("data: ".length()));
        assertThat(message.string("method")).isEqualTo("notifications/subscriptions/acknowledged");
        return message.object("params").object("notifications");
    }
}
