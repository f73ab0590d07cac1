package dev.fairlead.showcase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.test.shared.RawClient;
import dev.fairlead.test.shared.StreamClient;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;

/**
 * Tasks over HTTP without a stream for messages that belong to no request, or without a session.
 */
class TaskStreamsTest {
    private static McpServer server;
    private static String url;

    @BeforeAll
    static void start() throws Exception {
        server = Showcase.server();
        HttpListener port = Http.port(0).streamAfter(Duration.ofHours(1));
        url = server.serve(port).uri().toString();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static StreamClient client(String capabilities) throws Exception {
        StreamClient client = new StreamClient(url);
        client.initialize(capabilities);
        return client;
    }

    @Test
    @Requirement({"TASK-057", "TASK-060", "ROOM-009"})
    void aQuestionWaitsForTheStreamOfTheResult() throws Exception {
        try (StreamClient client = client("{\"elicitation\": {}}")) {
            JsonObject task = client.start("task_elicit", JsonObject.EMPTY);
            client.awaitStatus(task, "input_required");
            assertThat(client.hasReceived("elicitation/create")).isFalse();

            RawClient.Pending result = client.request("tasks/result", RawClient.id(task));
            client.respond(
                    client.awaitMethod("elicitation/create"), RawClient.accepted("name", "Ada"));
            assertThat(RawClient.text(result.result())).isEqualTo("Hello Ada");
        }
    }

    @Test
    void aQuestionThatWaitsIsSentAsSoonAsAStreamIsOpened() throws Exception {
        try (StreamClient client = client("{\"elicitation\": {}}")) {
            JsonObject task = client.start("task_elicit", JsonObject.EMPTY);
            client.awaitStatus(task, "input_required");

            client.listen();
            client.respond(
                    client.awaitMethod("elicitation/create"), RawClient.accepted("name", "Ada"));
            client.awaitStatus(task, "completed");
        }
    }

    @Test
    @Requirement({"TASK-043", "TASK-045", "TASK-061", "ROOM-010"})
    void aQuestionWhoseStreamIsCutIsAskedAgainUnderANewIdAndAnsweredOnce() throws Exception {
        try (StreamClient client = client("{\"elicitation\": {}}");
                StreamClient cut = client.sameSession()) {
            JsonObject task = client.start("task_elicit", JsonObject.EMPTY);
            cut.sendUnanswered("tasks/result", RawClient.id(task));
            JsonObject lost = cut.awaitQuestion("elicitation/create", task);
            cut.close();
            RawClient.Pending repeated = client.request("tasks/result", RawClient.id(task));
            JsonObject question = client.awaitQuestion("elicitation/create", task);
            assertThat(question.get("id")).isNotEqualTo(lost.get("id"));
            assertThat(question.object("params")).isEqualTo(lost.object("params"));
            client.resume(cut); // an answer that comes before the withdrawal may still count
            JsonObject withdrawn = client.awaitMethod("notifications/cancelled").object("params");
            assertThat(withdrawn.get("requestId")).isEqualTo(lost.get("id"));

            client.respond(lost, JsonObject.of("action", "decline"));
            client.respond(question, RawClient.accepted("name", "Ada"));
            JsonObject result = repeated.result();
            assertThat(RawClient.text(result)).isEqualTo("Hello Ada");
            client.respond(question, JsonObject.of("action", "decline"));
            assertThat(client.result("tasks/result", RawClient.id(task))).isEqualTo(result);
            assertThat(client.hasReceived("elicitation/create")).isFalse();
        }
    }

    @Test
    @Requirement({"TASK-044", "TASK-045"})
    void aLookAtATaskIsAnsweredInJsonAndWaitingForItOnAStreamOfItsOwn() throws Exception {
        try (StreamClient client = client("{\"elicitation\": {}}");
                StreamClient waiting = client.sameSession()) {
            JsonObject task = client.start("task_elicit", JsonObject.EMPTY);
            client.task(task);
            assertThat(client.contentType()).isEqualTo("application/json");

            RawClient.Pending result = waiting.request("tasks/result", RawClient.id(task));
            JsonObject question = waiting.awaitQuestion("elicitation/create", task);
            assertThat(waiting.contentType()).isEqualTo("text/event-stream");
            client.respond(question, RawClient.accepted("name", "Ada"));
            assertThat(RawClient.text(result.result())).isEqualTo("Hello Ada");
            assertThat(client.hasReceived("elicitation/create")).isFalse();
        }
    }

    @Test
    @Requirement("TASK-074")
    void theEndIsNotifiedOnAnOpenStreamButNeedsNone() throws Exception {
        try (StreamClient client = client("{}")) {
            JsonObject earlier = client.start("task_echo", JsonObject.of("text", "a"));
            client.awaitStatus(earlier, "completed");
            client.listen();

            JsonObject task = client.start("task_echo", JsonObject.of("text", "b"));
            JsonObject told = client.awaitMethod("notifications/tasks/status").object("params");
            while (!RawClient.id(told).equals(RawClient.id(task))) { // one that was under way
                told = client.awaitMethod("notifications/tasks/status").object("params");
            }
            assertThat(told.string("status")).isEqualTo("completed");
        }
    }

    @Test
    @Requirement({"TASK-079", "ROOM-023"})
    void theIdGivesAccessToATaskButOnlyItsSessionListsIt() throws Exception {
        try (StreamClient one = client("{}");
                StreamClient other = client("{}")) {
            JsonObject task = one.start("task_echo", JsonObject.of("text", "mine"));

            assertThat(RawClient.text(other.result("tasks/result", RawClient.id(task))))
                    .isEqualTo("mine");
            assertThat(other.result("tasks/list", JsonObject.EMPTY).array("tasks"))
                    .isEqualTo(JsonArray.of());
            assertThat(one.result("tasks/list", JsonObject.EMPTY).array("tasks").toJson())
                    .contains(task.string("taskId"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "interop_client_task_sample, sampling/createMessage, sampling, '{\"prompt\": \"Sing\"}'",
        "interop_client_task_elicit, elicitation/create, elicitation, {}"
    })
    @Requirement({"TASK-108", "TASK-018"})
    void theClientIsAskedForATaskOfItsOwnOnTheStreamOfTheCall(
            String tool, String method, String capability, String arguments) throws Exception {
        String kind = method.substring(method.indexOf('/') + 1);
        String capabilities =
                "{\"%1$s\": {}, \"tasks\": {\"requests\": {\"%1$s\": {\"%2$s\": {}}}}}"
                        .formatted(capability, kind);
        try (StreamClient client = client(capabilities)) {
            RawClient.Pending call =
                    client.request(
                            "tools/call",
                            RawClient.call(tool, (JsonObject) JsonValue.parse(arguments)));
            JsonObject question = client.awaitMethod(method);
            assertThat(question.object("params").object("task").integer("ttl")).isEqualTo(60_000);

            client.respond(question, JsonObject.of("task", ownTask("working")));
            client.respond(client.awaitMethod("tasks/get"), ownTask("completed"));
            JsonObject fetch = client.awaitMethod("tasks/result");
            assertThat(fetch.object("params").string("taskId")).isEqualTo("own");
            client.respond(fetch, answer(method));

            assertThat(RawClient.text(call.result())).isEqualTo("completed: Ada");
        }
    }

    @Test
    @Requirement("ROOM-025")
    void bothSidesMayHaveATaskOfTheSameId() throws Exception {
        String capabilities =
                "{\"sampling\": {}, \"tasks\": {\"requests\": {\"sampling\":"
                        + " {\"createMessage\": {}}}}}";
        try (StreamClient client = client(capabilities)) {
            JsonObject ofServer = client.start("task_sleep_forever", JsonObject.EMPTY);
            String id = ofServer.string("taskId");
            JsonObject prompt = JsonObject.of("prompt", "Sing");
            RawClient.Pending call =
                    client.request(
                            "tools/call", RawClient.call("interop_client_task_sample", prompt));

            client.respond(
                    client.awaitMethod("sampling/createMessage"),
                    JsonObject.of("task", ownTask("working").with("taskId", id)));
            client.respond(
                    client.awaitMethod("tasks/get"), ownTask("completed").with("taskId", id));
            JsonObject fetch = client.awaitMethod("tasks/result");
            assertThat(fetch.object("params").string("taskId")).isEqualTo(id);
            client.respond(fetch, answer("sampling/createMessage"));

            assertThat(RawClient.text(call.result())).isEqualTo("completed: Ada");
            assertThat(client.task(ofServer).string("status")).isEqualTo("working");
            client.result("tasks/cancel", RawClient.id(ofServer));
        }
    }

    private static JsonObject ownTask(String status) {
        String now = "2026-01-01T00:00:00Z";
        return JsonObject.of(
                "taskId",
                "own",
                "status",
                status,
                "createdAt",
                now,
                "lastUpdatedAt",
                now,
                "ttl",
                60_000,
                "pollInterval",
                10);
    }

    private static JsonObject answer(String method) {
        JsonObject related =
                JsonObject.of(
                        "io.modelcontextprotocol/related-task", JsonObject.of("taskId", "own"));
        return method.startsWith("elicitation")
                ? RawClient.accepted("name", "Ada").with("_meta", related)
                : JsonObject.of(
                        "role",
                        "assistant",
                        "model",
                        "a-model",
                        "content",
                        JsonObject.of("type", "text", "text", "Ada"),
                        "_meta",
                        related);
    }

    @Test
    @Requirement("ROOM-061")
    void withoutSessionsTasksRunAllTheSame() throws Exception {
        try (McpServer other = Showcase.server();
                HttpServing stateless = other.serve(Http.port(0).stateless());
                StreamClient client = new StreamClient(stateless.uri().toString())) {
            JsonObject task =
                    client.start("task_echo", JsonObject.of("text", "here", "delayMs", 100));
            client.awaitStatus(task, "completed");
            assertThat(RawClient.text(client.result("tasks/result", RawClient.id(task))))
                    .isEqualTo("here");

            JsonObject forever = client.start("task_sleep_forever", JsonObject.EMPTY);
            assertThat(client.result("tasks/cancel", RawClient.id(forever)).string("status"))
                    .isEqualTo("cancelled");
        }
    }
}
