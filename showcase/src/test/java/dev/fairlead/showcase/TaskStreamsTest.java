package dev.fairlead.showcase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tasks over HTTP where no stream is open for what belongs to no request, or no session is. */
class TaskStreamsTest {
    private static Program program;
    private static String url;

    @BeforeAll
    static void start() throws Exception {
        program = Program.start("--http", "127.0.0.1:0");
        url = program.url();
    }

    @AfterAll
    static void stop() throws Exception {
        program.close();
    }

    private static StreamClient client(String capabilities) throws Exception {
        StreamClient client = new StreamClient(url);
        client.initialize(capabilities);
        return client;
    }

    private static JsonObject accepted() {
        return JsonObject.of("action", "accept", "content", JsonObject.of("name", "Ada"));
    }

    @Test
    @Requirement({"TASK-057", "TASK-060", "ROOM-009"})
    void aQuestionWaitsForTheStreamOfTheResult() throws Exception {
        try (StreamClient client = client("{\"elicitation\": {}}")) {
            JsonObject task = client.start("task_elicit", JsonObject.EMPTY);
            client.awaitStatus(task, "input_required");
            assertThat(client.hasHeard("elicitation/create")).isFalse();

            long result = client.request("tasks/result", RawClient.id(task));
            client.respond(client.awaitMethod("elicitation/create"), accepted());
            assertThat(RawClient.text(client.resultOf(result))).isEqualTo("Hello Ada");
        }
    }

    @Test
    void aQuestionThatWaitsIsSentAsSoonAsAStreamIsOpened() throws Exception {
        try (StreamClient client = client("{\"elicitation\": {}}")) {
            JsonObject task = client.start("task_elicit", JsonObject.EMPTY);
            client.awaitStatus(task, "input_required");

            client.listen();
            client.respond(client.awaitMethod("elicitation/create"), accepted());
            client.awaitStatus(task, "completed");
        }
    }

    @Test
    @Requirement({"TASK-079", "ROOM-023"})
    void whoKnowsTheIdHasTheTaskButOnlyTheOwnSessionListsIt() throws Exception {
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
            long call =
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

            assertThat(RawClient.text(client.resultOf(call))).isEqualTo("completed: Ada");
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
                ? accepted().with("_meta", related)
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
        try (Program stateless = Program.start("--http", "127.0.0.1:0", "--stateless");
                StreamClient client = new StreamClient(stateless.url())) {
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
