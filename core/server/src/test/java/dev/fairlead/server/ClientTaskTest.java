package dev.fairlead.server;

import static dev.fairlead.server.Peer.text;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Questions that the client runs as tasks. */
class ClientTaskTest {
    record Name(String name) {}

    private static final String TASKS =
            """
            {"elicitation": {}, "sampling": {}, "tasks": {"cancel": {}, "requests": {"elicitation": {"create": {}}, "sampling": {"createMessage": {}}}}}\
            """;
    private static final String TASK =
            """
            {"taskId": "c1", "status": "%s", "createdAt": "2025-11-25T00:00:00Z", "lastUpdatedAt": "2025-11-25T00:00:00Z", "ttl": 60000, "pollInterval": 100}\
            """;

    private static McpServer server() {
        return McpServer.named("s", "1")
                .tool("t", "Tested", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle(
                        (none, call) ->
                                call.withTask(Duration.ofMinutes(1))
                                        .elicit("Who?", Name.class)
                                        .orElseThrow()
                                        .name())
                .build();
    }

    private static void created(Peer peer, JsonObject question) {
        peer.answer(question, "{\"task\": " + TASK.formatted("working") + "}");
    }

    private static void completed(Peer peer) throws Exception {
        peer.answer(peer.next("tasks/get"), TASK.formatted("completed"));
    }

    /** Waits until the task has ended: tasks/result might take over a question that is answered. */
    private static void awaitEnd(Peer peer, String end) throws Exception {
        String status = "working";
        while (!status.equals(end)) {
            status = peer.next("notifications/tasks/status").object("params").string("status");
        }
    }

    private static void answerResult(Peer peer, JsonObject asked) {
        peer.answer(
                asked,
                """
                {"action": "accept", "content": {"name": "Ada"}, "_meta": {"io.modelcontextprotocol/related-task": {"taskId": "c1"}}}\
                """);
    }

    @Test
    @Requirement({"TASK-003", "TASK-018", "TASK-046", "TASK-053", "TASK-065", "TASK-108"})
    void aQuestionBecomesATaskOfTheClientThatIsPolledAndItsResultIsFetched() throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, TASKS)) {
            Pending call = peer.startTool("t", "{}");
            JsonObject question = peer.next("elicitation/create");
            created(peer, question);
            completed(peer);
            JsonObject result = peer.next("tasks/result");
            answerResult(peer, result);

            assertThat(question.object("params").object("task"))
                    .isEqualTo(JsonObject.of("ttl", 60_000));
            assertThat(result.object("params")).isEqualTo(JsonObject.of("taskId", "c1"));
            assertThat(text(call.result())).isEqualTo("Ada");
        }
    }

    @Test
    @Requirement("TASK-027")
    void aClientThatAnswersAtOnceIsUnderstoodToo() throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, TASKS)) {
            Pending call = peer.startTool("t", "{}");
            answerResult(peer, peer.next("elicitation/create"));

            assertThat(text(call.result())).isEqualTo("Ada");
        }
    }

    @Test
    @Requirement({"TASK-005", "TASK-006"})
    void aClientThatTakesNoTasksIsNotAsked() throws Exception {
        try (McpServer server = server();
                Peer peer =
                        Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, "{\"elicitation\": {}}")) {
            JsonObject result = peer.callTool("t", "{}");

            assertThat(result.bool("isError")).isTrue();
            assertThat(text(result)).contains("tasks.requests.elicitation.create");
            assertThat(peer.rest()).isEmpty();
        }
    }

    @Test
    @Requirement("CANC-005")
    void aCancelledCallCancelsTheTaskOfTheClient() throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, TASKS)) {
            Pending call = peer.startTool("t", "{}");
            created(peer, peer.next("elicitation/create"));
            peer.next("tasks/get");
            call.cancel();

            assertThat(peer.next("tasks/cancel").object("params").string("taskId")).isEqualTo("c1");
        }
    }

    @Test
    @Requirement({"CANC-005", "TASK-108"})
    void theTaskIsCancelledBeforeTheCallEndsAndWithItTheOnlyWayToTheClient() throws Exception {
        BlockingQueue<Thread> asking = new LinkedBlockingQueue<>();
        ManualTimers timers = new ManualTimers();
        McpServer leaving =
                McpServer.named("s", "1")
                        .tool("t", "Tested", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    asking.add(Thread.currentThread());
                                    try {
                                        return call.withTask(Duration.ofMinutes(1))
                                                .elicit("Who?", Name.class)
                                                .orElseThrow()
                                                .name();
                                    } catch (InterruptedException e) {
                                        return "left";
                                    }
                                })
                        .build(timers); // so the call waits without an end
        try (McpServer server = leaving;
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, TASKS)) {
            for (int round = 0; round < 20; round++) {
                Pending call = peer.startTool("t", "{}");
                created(peer, peer.next("elicitation/create"));
                await().until(
                                () -> {
                                    timers.advance(Duration.ofMillis(100));
                                    return peer.has("tasks/get");
                                });
                peer.next("tasks/get"); // the task is known

                Thread caller = asking.take();

                caller.interrupt();
                JsonObject first =
                        peer.await(
                                message ->
                                        !message.has("method")
                                                || message.string("method").equals("tasks/cancel"));
                assertThat(first.has("method")).as("%s", first).isTrue();
                peer.answer(first, TASK.formatted("cancelled"));
                assertThat(text(call.result())).isEqualTo("left");
            }
        }
    }

    @Test
    @Requirement({"TASK-056", "TASK-063", "TASK-064"})
    void aTaskMayAskItsClientToRunATask() throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, TASKS)) {
            String id =
                    peer.call("tools/call", "{\"name\": \"t\", \"task\": {}}")
                            .object("task")
                            .string("taskId");
            JsonObject question = peer.next("elicitation/create");
            created(peer, question);
            completed(peer);
            answerResult(peer, peer.next("tasks/result"));
            awaitEnd(peer, "completed");

            assertThat(question.object("params").object("_meta"))
                    .isEqualTo(
                            JsonObject.of(
                                    "io.modelcontextprotocol/related-task",
                                    JsonObject.of("taskId", id)));
            assertThat(text(peer.call("tasks/result", "{\"taskId\": \"" + id + "\"}")))
                    .isEqualTo("Ada");
        }
    }

    @Test
    @Requirement({"TASK-037", "TASK-058"})
    void aTaskThatTheClientItselfCancelsIsAnErrorForTheTaskThatWaitsForIt() throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, TASKS)) {
            String id =
                    peer.call("tools/call", "{\"name\": \"t\", \"task\": {}}")
                            .object("task")
                            .string("taskId");
            created(peer, peer.next("elicitation/create"));
            peer.answer(peer.next("tasks/get"), TASK.formatted("cancelled"));
            awaitEnd(peer, "failed");

            JsonObject result = peer.call("tasks/result", "{\"taskId\": \"" + id + "\"}");
            assertThat(text(result))
                    .isEqualTo(
                            "The client answered elicitation/create with an error: Task c1 was"
                                    + " cancelled");
            assertThat(peer.call("tasks/get", "{\"taskId\": \"" + id + "\"}").string("status"))
                    .isEqualTo("failed");
            assertThat(peer.rest()).noneMatch(message -> message.has("id")); // asked exactly once
        }
    }
}
