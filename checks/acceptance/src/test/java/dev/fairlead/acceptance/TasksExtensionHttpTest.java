package dev.fairlead.acceptance;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.test.shared.PerRequestFrames;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** The tasks extension over HTTP, on real sockets, for callers that nobody knows. */
@Timeout(120)
class TasksExtensionHttpTest {
    private static final String DECLARED =
            "\"elicitation\": {}, \"extensions\": {\"io.modelcontextprotocol/tasks\": {}}";

    record Name(String name) {}

    private final HttpClient here = client("127.0.0.1");
    private final HttpClient there = client("127.0.0.2");
    private final McpServer server =
            McpServer.named("tasks", "1.0.0")
                    .revisions(Revision.V2025_11_25, Revision.V2026_07_28)
                    .tasks(Tasks.inMemory().maxPerOwner(1).operationsPerSecond(1_000_000))
                    .tool("asks", "Asks for a name", NoInput.class, String.class)
                    .task(TaskSupport.REQUIRED)
                    .handle((none, call) -> call.elicit("Name?", Name.class).orElseThrow().name())
                    .build();
    private final HttpServing serving = server.serve(PerRequestFrames.listener());

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
    void close() {
        server.close();
        here.close();
        there.close();
    }

    private HttpResponse<String> post(
            HttpClient client, String method, String name, String members, String capabilities)
            throws Exception {
        String body =
                """
                {"jsonrpc": "2.0", "id": 7, "method": "%s", "params": {%s,
                 "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                           "io.modelcontextprotocol/clientCapabilities": {%s}}}}\
                """
                        .formatted(method, members, capabilities);
        HttpRequest request =
                HttpRequest.newBuilder(serving.uri())
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .header("MCP-Protocol-Version", "2026-07-28")
                        .header("Mcp-Method", method)
                        .header("Mcp-Name", name)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> start(HttpClient client, String capabilities) throws Exception {
        return post(
                client,
                "tools/call",
                "asks",
                "\"name\": \"asks\", \"arguments\": {}",
                capabilities);
    }

    private HttpResponse<String> of(HttpClient client, String method, String id) throws Exception {
        return post(
                client, method, id, "\"inputResponses\": {}, \"taskId\": \"" + id + "\"", DECLARED);
    }

    private static JsonObject json(HttpResponse<String> answer) {
        return (JsonObject) JsonValue.parse(answer.body());
    }

    private static JsonObject result(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return json(answer).object("result");
    }

    private static void assertRefused(HttpResponse<String> answer, int status, long code) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(json(answer).object("error").get("code")).isEqualTo(JsonValue.of(code));
    }

    @Test
    @Requirement({"N26-TASK-004", "N26-TASK-023", "N26-TASK-024", "N26-TASK-028", "N26-TASK-032"})
    void refusalsHaveTheirStatuses() throws Exception {
        assertRefused(start(here, ""), 400, -32021);
        String id = result(start(here, DECLARED)).string("taskId");
        for (String method : new String[] {"tasks/get", "tasks/update", "tasks/cancel"}) {
            String members = "\"inputResponses\": {}, \"taskId\": \"" + id + "\"";
            assertRefused(post(here, method, id, members, ""), 400, -32021);
            assertRefused(post(here, method, "other", members, DECLARED), 400, -32020);
            assertRefused(of(here, method, "unknown"), 200, -32602);
        }
        assertRefused(of(here, "tasks/list", id), 404, -32601);
        assertRefused(of(here, "tasks/result", id), 404, -32601);
    }

    @Test
    @Requirement("N26-TASK-036")
    void unknownCallersAreCountedByAddressAndHaveWhatTheyKnowTheIdOf() throws Exception {
        String id = result(start(here, DECLARED)).string("taskId");
        HttpResponse<String> second = start(here, DECLARED);
        assertThat(second.statusCode()).isEqualTo(429);
        assertThat(json(second).object("error").object("data").get("retryable"))
                .isEqualTo(JsonValue.of(true));
        String other = result(start(there, DECLARED)).string("taskId");
        assertThat(result(of(here, "tasks/get", other)).string("taskId")).isEqualTo(other);

        await("the task asks").until(() -> result(of(there, "tasks/get", id)).has("inputRequests"));
        result(
                post(
                        there,
                        "tasks/update",
                        id,
                        "\"taskId\": \"%s\", \"inputResponses\": {\"q1\": {\"action\": \"accept\", \"content\": {\"name\": \"Ada\"}}}"
                                .formatted(id),
                        DECLARED));
        await("the task has ended").until(() -> result(of(here, "tasks/get", id)).has("result"));
        JsonObject ended = result(of(here, "tasks/get", id));
        assertThat(ended.object("result").toJson()).contains("Ada");
        assertThat(result(start(here, DECLARED)).string("status")).isEqualTo("working");
    }
}
