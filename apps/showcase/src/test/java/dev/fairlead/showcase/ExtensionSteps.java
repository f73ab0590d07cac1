package dev.fairlead.showcase;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.server.McpServer;
import dev.fairlead.test.shared.RawClient;

import java.util.Set;

/**
 * Tasks of the extension, by bare requests. A second client, which is not recorded, waits for their
 * statuses: how often a task is polled is a matter of time.
 */
final class ExtensionSteps {
    private static final JsonObject META =
            JsonObject.of(
                    "io.modelcontextprotocol/protocolVersion",
                    Revision.V2026_07_28.date(),
                    "io.modelcontextprotocol/clientCapabilities",
                    JsonObject.of(
                            "elicitation",
                            JsonObject.EMPTY,
                            "extensions",
                            JsonObject.of("io.modelcontextprotocol/tasks", JsonObject.EMPTY)));

    private final Transcript transcript;
    private final RawClient client;
    private final McpServer server;

    ExtensionSteps(Transcript transcript, RawClient client, McpServer server) {
        this.transcript = transcript;
        this.client = client;
        this.server = server;
    }

    void run() throws Exception {
        ended("task_echo", JsonObject.of("text", "a"));
        ended("task_required", JsonObject.of("text", "a"));
        ended("task_forbidden", JsonObject.of("text", "a"));
        ended("task_fail", JsonObject.of("message", "so it is"));
        ended("task_throw", JsonObject.of("message", "so it is"));
        asking();
        cancelled();
        error("tasks/get", JsonObject.of("taskId", "unknown"));
        error("tasks/list", JsonObject.EMPTY);
        error("tasks/result", JsonObject.of("taskId", "unknown"));
    }

    private void ended(String tool, JsonObject arguments) throws Exception {
        JsonObject task = start(tool, arguments);
        if (task.has("taskId")) {
            get(task, "completed", "failed");
        }
        transcript.end("task of " + tool);
    }

    private JsonObject start(String tool, JsonObject arguments) throws Exception {
        JsonObject created = result("tools/call", RawClient.call(tool, arguments));
        return created.has("taskId") ? RawClient.id(created) : JsonObject.EMPTY;
    }

    private JsonObject result(String method, JsonObject params) throws Exception {
        return client.result(method, params.with("_meta", META));
    }

    /** Asks for the task once it has one of the statuses. */
    private JsonObject get(JsonObject task, String... statuses) throws Exception {
        try (McpClient other = McpClient.named("other", "1").connect(server.inProcess())) {
            RawClient.looking("the task has a status of " + Set.of(statuses))
                    .until(
                            () ->
                                    Set.of(statuses)
                                            .contains(
                                                    other.request("tasks/get", task)
                                                            .string("status")));
        }
        return result("tasks/get", task);
    }

    private void asking() throws Exception {
        JsonObject task = start("task_elicit", JsonObject.EMPTY);
        JsonObject asked = get(task, "input_required").object("inputRequests");
        JsonObject answer = RawClient.accepted("name", "Ann");
        result(
                "tasks/update",
                task.with(
                        "inputResponses", JsonObject.of(asked.names().iterator().next(), answer)));
        get(task, "completed");
        transcript.end("task that asks");
    }

    private void cancelled() throws Exception {
        JsonObject task = start("task_sleep_forever", JsonObject.EMPTY);
        result("tasks/cancel", task);
        get(task, "cancelled");
        transcript.end("cancelled task");
    }

    private void error(String method, JsonObject params) throws Exception {
        client.error(method, params.with("_meta", META));
        transcript.end("error of " + method);
    }
}
