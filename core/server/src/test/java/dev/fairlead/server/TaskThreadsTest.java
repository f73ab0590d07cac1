package dev.fairlead.server;

import static dev.fairlead.server.Peer.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.handler.Handler;
import dev.fairlead.server.handler.ServerRequests;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Tasks whose handlers ask from several threads. */
class TaskThreadsTest {
    record Name(String name) {}

    private static final int THREADS = 8;

    private final BlockingQueue<FutureTask<String>> asked = new LinkedBlockingQueue<>();

    private static McpServer server(Handler<NoInput, String> handler) {
        return McpServer.named("s", "1")
                .tool("t", "Tested", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle(handler)
                .build();
    }

    private static Peer asked(McpServer server) throws Exception {
        return Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, "{\"elicitation\": {}}");
    }

    private static String start(Peer peer) throws Exception {
        return peer.call("tools/call", "{\"name\": \"t\", \"task\": {}}")
                .object("task")
                .string("taskId");
    }

    private static String id(String id) {
        return "{\"taskId\": \"" + id + "\"}";
    }

    /** The answer that a thread of the handler receives to its question. */
    @CheckReturnValue
    private FutureTask<String> asking(ServerRequests call, String question) {
        FutureTask<String> answer =
                new FutureTask<>(() -> call.elicit(question, Name.class).orElseThrow().name());
        Thread.startVirtualThread(answer);
        return answer;
    }

    private void assertAllHaveFailed() throws InterruptedException {
        for (int i = 0; i < THREADS; i++) {
            FutureTask<String> answer = asked.poll(60, TimeUnit.SECONDS);
            assertThat(answer).isNotNull();
            assertThatThrownBy(() -> answer.get(60, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class);
        }
    }

    private static void answer(Peer peer, JsonObject question) {
        peer.answer(
                question,
                "{\"action\": \"accept\", \"content\": {\"name\": \"to %s\"}}"
                        .formatted(question.object("params").string("message")));
    }

    @Test
    @Requirement({"TASK-058", "ROOM-012"})
    void questionsOfThreadsAreAskedInSequenceAndEachReceivesItsAnswer() throws Exception {
        try (McpServer server =
                        server(
                                (none, call) -> {
                                    List<FutureTask<String>> answers = new ArrayList<>();
                                    for (int i = 0; i < THREADS; i++) {
                                        answers.add(asking(call, "question " + i));
                                    }
                                    List<String> heard = new ArrayList<>();
                                    for (FutureTask<String> answer : answers) {
                                        heard.add(answer.get());
                                    }
                                    return String.join(", ", heard);
                                });
                Peer peer = asked(server)) {
            String id = start(peer);
            for (int i = 0; i < THREADS; i++) {
                JsonObject question = peer.next("elicitation/create");
                assertThat(peer.call("tasks/get", id(id)).string("status"))
                        .isEqualTo("input_required");
                assertThat(peer.rest()).noneMatch(message -> message.has("id"));
                answer(peer, question);
            }

            assertThat(text(peer.call("tasks/result", id(id))))
                    .isEqualTo(
                            "to question 0, to question 1, to question 2, to question 3,"
                                    + " to question 4, to question 5, to question 6,"
                                    + " to question 7");
        }
    }

    @Test
    void eachThreadReceivesTheProgressOfItsOwnQuestion() throws Exception {
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        try (McpServer server =
                        server(
                                (none, call) -> {
                                    List<FutureTask<String>> answers = new ArrayList<>();
                                    for (int i = 0; i < THREADS; i++) {
                                        String question = "question " + i;
                                        ServerRequests requests =
                                                call.withProgress(
                                                        report ->
                                                                heard.add(
                                                                        question
                                                                                + ": "
                                                                                + report
                                                                                        .message()));
                                        answers.add(asking(requests, question));
                                    }
                                    for (FutureTask<String> answer : answers) {
                                        answer.get();
                                    }
                                    return "done";
                                });
                Peer peer = asked(server)) {
            String id = start(peer);
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                JsonObject question = peer.next("elicitation/create");
                String message = question.object("params").string("message");
                peer.notify(
                        "notifications/progress",
                        "{\"progressToken\": %s, \"progress\": 1, \"message\": \"at %s\"}"
                                .formatted(
                                        question.object("params")
                                                .object("_meta")
                                                .get("progressToken"),
                                        message));
                expected.add(message + ": at " + message);
                answer(peer, question);
            }

            assertThat(text(peer.call("tasks/result", id(id)))).isEqualTo("done");
            assertThat(heard).containsExactlyElementsOf(expected);
        }
    }

    @Test
    @Requirement("TASK-062")
    void allStopAskingWhenTheTaskIsCancelled() throws Exception {
        try (McpServer server =
                        server(
                                (none, call) -> {
                                    for (int i = 0; i < THREADS; i++) {
                                        asked.add(asking(call, "question " + i));
                                    }
                                    new CountDownLatch(1).await();
                                    return "never";
                                });
                Peer peer = asked(server)) {
            String id = start(peer);
            peer.next("elicitation/create");

            peer.call("tasks/cancel", id(id));

            assertAllHaveFailed();
        }
    }

    @Test
    @Requirement("TASK-062")
    void allStopAskingWhenTheHandlerHasReturned() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (McpServer server =
                        server(
                                (none, call) -> {
                                    for (int i = 0; i < THREADS; i++) {
                                        asked.add(asking(call, "question " + i));
                                    }
                                    go.await();
                                    return "done";
                                });
                Peer peer = asked(server)) {
            String id = start(peer);
            peer.next("elicitation/create");

            go.countDown();

            assertThat(text(peer.call("tasks/result", id(id)))).isEqualTo("done");
            assertAllHaveFailed();
        }
    }
}
