package dev.fairlead.showcase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.test.shared.RawClient;
import dev.fairlead.test.shared.StreamClient;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The tools that may be tasks, message by message, where the client can be reached at any time:
 * over stdio, and over HTTP with an open stream.
 */
class TaskToolsTest {
    private static final String RELATED = "io.modelcontextprotocol/related-task";

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class OverStdio extends Tools {
        @Override
        RawClient connect(McpServer server) throws Exception {
            Pipe in = Pipe.open();
            Pipe out = Pipe.open();
            server.serve(
                    Stdio.streams(
                            Channels.newInputStream(in.source()),
                            Channels.newOutputStream(out.sink())));
            return new StdioClient(in.sink(), out.source());
        }
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class OverHttp extends Tools {
        @Override
        RawClient connect(McpServer server) throws Exception {
            return new StreamClient(server.serve(Http.port(0)).uri().toString());
        }

        @Override
        void greeted(RawClient client) throws Exception {
            ((StreamClient) client).listen();
        }
    }

    abstract static class Tools {
        private final McpServer server = Showcase.server();
        private RawClient client;
        private JsonObject capabilities;

        abstract RawClient connect(McpServer server) throws Exception;

        void greeted(RawClient client) throws Exception {}

        @BeforeAll
        void start() throws Exception {
            client = connect(server);
            capabilities =
                    client.initialize("{\"elicitation\": {}, \"sampling\": {}}")
                            .object("capabilities");
            greeted(client);
        }

        @AfterAll
        void stop() throws Exception {
            client.close();
            server.close();
        }

        private JsonObject outcome(JsonObject task) throws Exception {
            return client.result("tasks/result", RawClient.id(task));
        }

        @Test
        void everythingThatTasksCanIsDeclared() {
            assertThat(capabilities.object("tasks"))
                    .isEqualTo(
                            JsonValue.parse(
                                    """
                                    {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}
                                    """));
        }

        @Test
        void eachToolSaysWhetherItMayBeATask() throws Exception {
            Map<String, String> support = new HashMap<>();
            for (JsonValue each : client.result("tools/list", JsonObject.EMPTY).array("tools")) {
                JsonObject tool = (JsonObject) each;
                String said =
                        tool.has("execution")
                                ? tool.object("execution").string("taskSupport")
                                : "absent";
                if (tool.string("name").contains("task")) {
                    support.put(tool.string("name"), said);
                }
            }
            assertThat(support)
                    .isEqualTo(
                            Map.ofEntries(
                                    Map.entry("task_echo", "optional"),
                                    Map.entry("task_required", "required"),
                                    Map.entry("task_forbidden", "absent"),
                                    Map.entry("task_progress", "optional"),
                                    Map.entry("task_fail", "optional"),
                                    Map.entry("task_throw", "optional"),
                                    Map.entry("task_elicit", "optional"),
                                    Map.entry("task_sample", "optional"),
                                    Map.entry("task_sleep_forever", "optional"),
                                    Map.entry("interop_client_task_sample", "absent"),
                                    Map.entry("interop_client_task_elicit", "absent")));
        }

        @ParameterizedTest
        @CsvSource({"task_echo", "task_forbidden"})
        void aPlainCallGivesBackItsText(String tool) throws Exception {
            JsonObject result =
                    client.result(
                            "tools/call", RawClient.call(tool, JsonObject.of("text", "héllo")));
            assertThat(RawClient.text(result)).isEqualTo("héllo");
        }

        @ParameterizedTest
        @CsvSource({"task_echo", "task_required"})
        void aTaskGivesBackItsTextAndNamesItself(String tool) throws Exception {
            JsonObject task = client.start(tool, JsonObject.of("text", "héllo"));
            assertThat(task.string("status")).isEqualTo("working");

            JsonObject result = outcome(task);
            assertThat(RawClient.text(result)).isEqualTo("héllo");
            assertThat(result.object("_meta").object(RELATED)).isEqualTo(RawClient.id(task));
            assertThat(client.task(task).string("status")).isEqualTo("completed");
        }

        @Test
        @Requirement("TASK-024")
        void theModelReceivesAnImmediateResponse() throws Exception {
            JsonObject created =
                    client.result(
                            "tools/call",
                            RawClient.taskCall("task_echo", JsonObject.of("text", "a"), null));
            assertThat(
                            created.object("_meta")
                                    .string("io.modelcontextprotocol/model-immediate-response"))
                    .isEqualTo("The text will come back soon.");
        }

        @Test
        @Requirement({"TASK-013", "TASK-016"})
        void theWrongWayToCallIsRefused() throws Exception {
            JsonObject text = JsonObject.of("text", "a");
            JsonObject forbidden =
                    client.error("tools/call", RawClient.taskCall("task_forbidden", text, null));
            assertThat(forbidden.integer("code")).isEqualTo(-32601);
            JsonObject required = client.error("tools/call", RawClient.call("task_required", text));
            assertThat(required.integer("code")).isEqualTo(-32601);
        }

        @Test
        @Requirement("TASK-072")
        void everyStepOfATaskIsReported() throws Exception {
            JsonObject call =
                    JsonObject.of(
                            "name",
                            "task_progress",
                            "arguments",
                            JsonObject.of("steps", 3, "delayMs", 100),
                            "task",
                            JsonObject.EMPTY,
                            "_meta",
                            JsonObject.of("progressToken", "steps"));
            JsonObject task = client.result("tools/call", call).object("task");
            assertThat(RawClient.text(outcome(task))).isEqualTo("done 3");

            List<JsonObject> reports = new ArrayList<>();
            for (int step = 1; step <= 3; step++) {
                JsonObject report = client.awaitMethod("notifications/progress").object("params");
                reports.add(report.without("message"));
            }
            assertThat(reports) // over HTTP each comes on the stream that was open then
                    .containsExactlyInAnyOrder(report(task, 1), report(task, 2), report(task, 3));
        }

        private static JsonObject report(JsonObject task, double step) {
            return JsonObject.of(
                    "progressToken",
                    "steps",
                    "progress",
                    step,
                    "total",
                    3.0,
                    "_meta",
                    JsonObject.of(RELATED, RawClient.id(task)));
        }

        @Test
        @Requirement({"TASK-037", "TASK-038", "TASK-049"})
        void aFailedTaskHasTheResultOfThePlainCall() throws Exception {
            JsonObject arguments = JsonObject.of("message", "no luck");
            JsonObject plain = client.result("tools/call", RawClient.call("task_fail", arguments));
            assertThat(plain.bool("isError")).isTrue();
            assertThat(RawClient.text(plain)).isEqualTo("no luck");

            JsonObject task = client.start("task_fail", arguments);
            assertThat(outcome(task).without("_meta")).isEqualTo(plain);
            assertThat(client.task(task).string("status")).isEqualTo("failed");
            assertThat(client.task(task).string("statusMessage")).isEqualTo("no luck");
        }

        @Test
        @Requirement({"TASK-047", "TASK-049"})
        void anErrorOfATaskIsTheErrorOfThePlainCall() throws Exception {
            JsonObject arguments = JsonObject.of("message", "out of order");
            JsonObject error = JsonObject.of("code", -32603, "message", "out of order");
            assertThat(client.error("tools/call", RawClient.call("task_throw", arguments)))
                    .isEqualTo(error);

            JsonObject task = client.start("task_throw", arguments);
            assertThat(client.error("tasks/result", RawClient.id(task))).isEqualTo(error);
            assertThat(client.task(task).string("status")).isEqualTo("failed");
        }

        @Test
        @Requirement({"TASK-055", "TASK-056", "TASK-058", "TASK-064"})
        void aTaskAsksAPersonAtOnce() throws Exception {
            JsonObject task = client.start("task_elicit", JsonObject.EMPTY);
            JsonObject question = client.awaitQuestion("elicitation/create", task);
            JsonObject params = question.object("params");
            assertThat(params.object("_meta").object(RELATED)).isEqualTo(RawClient.id(task));
            assertThat(params.object("requestedSchema").array("required").toJson())
                    .isEqualTo("[\"name\"]");
            assertThat(client.task(task).string("status")).isEqualTo("input_required");

            client.respond(question, RawClient.accepted("name", "Ada"));
            assertThat(RawClient.text(outcome(task))).isEqualTo("Hello Ada");
            assertThat(client.task(task).string("status")).isEqualTo("completed");
        }

        @Test
        void aPlainCallAsksAPersonToo() throws Exception {
            RawClient.Pending call =
                    client.request("tools/call", RawClient.call("task_elicit", JsonObject.EMPTY));
            client.respond(
                    client.awaitPlainQuestion("elicitation/create"),
                    RawClient.accepted("name", "Ada"));
            assertThat(RawClient.text(call.result())).isEqualTo("Hello Ada");
        }

        @ParameterizedTest
        @CsvSource({"decline", "cancel"})
        void aRefusalIsAFailureOfTheTool(String action) throws Exception {
            JsonObject task = client.start("task_elicit", JsonObject.EMPTY);
            client.respond(
                    client.awaitQuestion("elicitation/create", task),
                    JsonObject.of("action", action));

            assertThat(outcome(task).bool("isError")).isTrue();
            assertThat(client.task(task).string("status")).isEqualTo("failed");
        }

        @Test
        void aTaskAsksTheModel() throws Exception {
            JsonObject task = client.start("task_sample", JsonObject.of("prompt", "Sing"));
            JsonObject question = client.awaitQuestion("sampling/createMessage", task);
            assertThat(question.object("params").array("messages").toJson())
                    .isEqualTo(
                            "[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"Sing\"}}]");
            client.respond(
                    question,
                    JsonObject.of(
                            "role",
                            "assistant",
                            "model",
                            "a-model",
                            "content",
                            JsonObject.of("type", "text", "text", "La la")));
            assertThat(RawClient.text(outcome(task))).isEqualTo("La la");
        }

        @Test
        @Requirement({"TASK-082", "TASK-083", "TASK-088"})
        void aCancelledTaskStopsAndIsCounted() throws Exception {
            JsonObject before = quiet();
            JsonObject task = client.start("task_sleep_forever", JsonObject.EMPTY);
            RawClient.Pending waiting = client.request("tasks/result", RawClient.id(task));
            awaitRunning(1);

            assertThat(client.result("tasks/cancel", RawClient.id(task)).string("status"))
                    .isEqualTo("cancelled");
            assertThat(waiting.error().integer("code")).isEqualTo(-32603);
            awaitRunning(0);
            assertThat(forever().integer("started")).isEqualTo(before.integer("started") + 1);
            assertThat(forever().integer("cancelled")).isEqualTo(before.integer("cancelled") + 1);
        }

        @Test
        void aPlainCallThatIsCancelledStopsAndIsCounted() throws Exception {
            JsonObject before = quiet();
            long call =
                    client.sendUnanswered(
                            "tools/call", RawClient.call("task_sleep_forever", JsonObject.EMPTY));
            awaitRunning(1);
            client.send(
                    """
                    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": %s}}\
                    """
                            .formatted(call));
            awaitRunning(0);
            assertThat(forever().integer("cancelled")).isEqualTo(before.integer("cancelled") + 1);
        }

        /**
         * The counts once nothing runs: a task of another test that has expired ends a moment
         * later.
         */
        private JsonObject quiet() throws Exception {
            awaitRunning(0);
            return forever();
        }

        private JsonObject forever() throws Exception {
            return client.result("tools/call", RawClient.call("interop_stats", JsonObject.EMPTY))
                    .object("structuredContent")
                    .object("forever");
        }

        private void awaitRunning(long running) throws Exception {
            RawClient.looking(running + " handlers run")
                    .until(() -> forever().integer("running") == running);
        }

        @Test
        @Requirement({"TASK-030", "TASK-031", "TASK-089", "ROOM-017"})
        void aSecondIsHonouredAndThenTheTaskIsNotFound() throws Exception {
            JsonObject task =
                    client.result(
                                    "tools/call",
                                    RawClient.taskCall(
                                            "task_sleep_forever", JsonObject.EMPTY, 1_000L))
                            .object("task");
            assertThat(task.integer("ttl")).isEqualTo(1_000);

            JsonObject error = client.error("tasks/result", RawClient.id(task));
            assertThat(error.integer("code")).isEqualTo(-32602);
            assertThat(client.error("tasks/get", RawClient.id(task)).integer("code"))
                    .isEqualTo(-32602);
        }

        @Test
        @Requirement({"TASK-102", "ROOM-016"})
        void moreThanTheMaximumIsCut() throws Exception {
            JsonObject created =
                    client.result(
                            "tools/call",
                            RawClient.taskCall(
                                    "task_echo", JsonObject.of("text", "a"), Long.MAX_VALUE >> 11));
            JsonValue ttl = created.object("task").get("ttl");
            assertThat(ttl).isNotEqualTo(JsonNull.NULL);
            assertThat(created.object("task").integer("ttl"))
                    .isBetween(1_000L, 24L * 60 * 60 * 1_000);
        }

        @Test
        @Requirement("TASK-079")
        void whatWasStartedIsListed() throws Exception {
            JsonObject task = client.start("task_echo", JsonObject.of("text", "listed"));
            outcome(task);
            assertThat(client.result("tasks/list", JsonObject.EMPTY).array("tasks").toJson())
                    .contains(task.string("taskId"));
        }

        @ParameterizedTest
        @CsvSource({
            "interop_client_task_sample, '{\"prompt\": \"Sing\"}'",
            "interop_client_task_elicit, {}"
        })
        @Requirement({"TASK-005", "TASK-006"})
        void aClientWithoutTasksIsNotAskedForOne(String tool, String arguments) throws Exception {
            JsonObject result =
                    client.result(
                            "tools/call",
                            RawClient.call(tool, (JsonObject) JsonValue.parse(arguments)));
            assertThat(result.bool("isError")).isTrue();
            assertThat(RawClient.text(result)).contains("tasks.requests");
            assertThat(client.wasAskedForTask()).isFalse();
        }
    }
}
