package dev.fairlead.proofs.nodes;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.client.ElicitForm;
import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.shared.RawClient;
import dev.fairlead.test.shared.StreamClient;
import dev.fairlead.test.support.AlternatingProxy;
import dev.fairlead.test.support.ChildProcess;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Two processes that share PostgreSQL and nothing else: a task runs in one of them, and a client
 * that knows its id waits, answers and cancels through the other.
 */
@Tag("proof")
class TwoNodesTest {
    private static EmbeddedPostgres postgres;
    private static ChildProcess runner;
    private static ChildProcess other;
    private static String runnerUrl;
    private static String otherUrl;

    /** A client of the node that runs the tasks. */
    private StreamClient here;

    private StreamClient there;

    @BeforeAll
    static void start() throws Exception {
        postgres = EmbeddedPostgres.builder().setPGStartupWait(Duration.ofSeconds(60)).start();
        String store = postgres.getJdbcUrl("postgres", "postgres");
        runner = Program.start("--fixtures", "--http", "127.0.0.1:0", "--store", store);
        runnerUrl = runner.url();
        other = Program.start("--fixtures", "--http", "127.0.0.1:0", "--store", store);
        otherUrl = other.url();
    }

    @AfterAll
    static void stop() throws Exception {
        runner.close();
        other.close();
        postgres.close();
    }

    @BeforeEach
    void connect() throws Exception {
        here = client(runnerUrl);
        there = client(otherUrl);
    }

    private static StreamClient client(String url) throws Exception {
        StreamClient client = new StreamClient(url);
        client.initialize("{\"elicitation\": {}}");
        return client;
    }

    @AfterEach
    void disconnect() {
        here.close();
        there.close();
    }

    @CheckReturnValue
    private static RawClient.Pending awaitOutcome(StreamClient client, JsonObject task)
            throws Exception {
        return client.request("tasks/result", RawClient.id(task));
    }

    /** The nodes have no file of keys: the store has them. */
    @Test
    void everyRoundOfACallMayReachAnotherNode() throws Exception {
        List<URI> nodes = List.of(URI.create(runnerUrl), URI.create(otherUrl));
        try (AlternatingProxy proxy = new AlternatingProxy(nodes);
                McpClient client =
                        McpClient.named("caller", "1")
                                .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                                .onElicitForm(TwoNodesTest::answer)
                                .connect(Http.to(proxy.uri()))) {
            JsonObject seen =
                    (JsonObject)
                            client.callTool("interop_rounds", JsonObject.EMPTY).structuredContent();
            assertThat(seen.string("a")).isEqualTo("Ada");
            assertThat(seen.string("b")).isEqualTo("Lovelace");
        }
    }

    private static Answer<?> answer(ElicitForm form) {
        return form.message().equals("First?")
                ? Answer.accept(JsonObject.of("a", "Ada"))
                : Answer.accept(JsonObject.of("b", "Lovelace"));
    }

    @Test
    void aChangeOfOneNodeIsAnnouncedByTheOther() throws Exception {
        CountDownLatch announced = new CountDownLatch(1);
        String uri = "test://watched-resource";
        try (McpClient watching =
                        McpClient.named("watcher", "1").connect(Http.to(URI.create(otherUrl)));
                McpClient changing =
                        McpClient.named("changer", "1").connect(Http.to(URI.create(runnerUrl)));
                var watch = watching.watch(uri, updated -> announced.countDown())) {
            await().until(
                            () -> {
                                changing.callTool(
                                        "interop_touch_resource", JsonObject.of("uri", uri));
                                return announced.getCount() == 0;
                            });
        }
    }

    @Test
    @Requirement({"TASK-048", "TASK-051", "TASK-107"})
    void waitersAtAnyNodeReceiveTheResult() throws Exception {
        JsonObject task = here.start("task_echo", JsonObject.of("text", "héllo", "delayMs", 500));
        RawClient.Pending fromHere = awaitOutcome(here, task);
        RawClient.Pending fromThere = awaitOutcome(there, task);
        JsonObject result = fromThere.result();
        assertThat(RawClient.text(result)).isEqualTo("héllo");
        assertThat(fromHere.result()).isEqualTo(result);
    }

    @Test
    @Requirement({"TASK-056", "TASK-060", "TASK-064", "ROOM-009"})
    void aQuestionIsAskedAndAnsweredAtTheNodeOfTheWaiter() throws Exception {
        JsonObject task = here.start("task_elicit", JsonObject.EMPTY);
        RawClient.Pending waiting = awaitOutcome(there, task);
        JsonObject question = there.awaitQuestion("elicitation/create", task);
        here.awaitStatus(task, "input_required");
        there.respond(question, RawClient.accepted("name", "Ada"));
        assertThat(RawClient.text(waiting.result())).isEqualTo("Hello Ada");
        here.awaitStatus(task, "completed");
        assertThat(here.hasReceived("elicitation/create")).isFalse();
    }

    @Test
    void anAnswerThatComesToAnotherNodeIsThatOfTheTask() throws Exception {
        JsonObject task = here.start("task_elicit", JsonObject.EMPTY);
        here.sendUnanswered("tasks/result", RawClient.id(task));
        JsonObject question = here.awaitQuestion("elicitation/create", task);
        try (StreamClient moved = here.sameSession(otherUrl)) {
            moved.respond(question, RawClient.accepted("name", "Ada"));
            moved.awaitStatus(task, "completed");
            assertThat(RawClient.text(awaitOutcome(moved, task).result())).isEqualTo("Hello Ada");
        }
    }

    @Test
    void aQuestionStaysOnTheConnectionThatCarriesItWhenAnotherNodeWaits() throws Exception {
        JsonObject task = here.start("task_elicit", JsonObject.EMPTY);
        RawClient.Pending fromHere = awaitOutcome(here, task);
        JsonObject question = here.awaitQuestion("elicitation/create", task);

        RawClient.Pending fromThere = awaitOutcome(there, task);
        there.awaitStatus(task, "input_required");
        here.respond(question, RawClient.accepted("name", "Ada"));

        assertThat(RawClient.text(fromThere.result())).isEqualTo("Hello Ada");
        assertThat(RawClient.text(fromHere.result())).isEqualTo("Hello Ada");
        assertThat(there.hasReceived("elicitation/create")).isFalse();
    }

    @Test
    void aQuestionMovesToAnotherNodeWhenItsConnectionIsLost() throws Exception {
        JsonObject task = here.start("task_elicit", JsonObject.EMPTY);
        try (StreamClient lost = here.sameSession()) {
            lost.sendUnanswered("tasks/result", RawClient.id(task));
            lost.awaitQuestion("elicitation/create", task);
        }

        RawClient.Pending fromThere = awaitOutcome(there, task);
        JsonObject question = there.awaitQuestion("elicitation/create", task);
        there.respond(question, RawClient.accepted("name", "Ada"));
        assertThat(RawClient.text(fromThere.result())).isEqualTo("Hello Ada");
    }

    @Test
    @Requirement("TASK-072")
    void progressIsDeliveredAtTheOtherNode() throws Exception {
        JsonObject call =
                RawClient.taskCall(
                                "task_progress", JsonObject.of("steps", 600, "delayMs", 500), null)
                        .with("_meta", JsonObject.of("progressToken", "steps"));
        JsonObject task = here.result("tools/call", call).object("task");
        RawClient.Pending waiting = awaitOutcome(there, task);
        JsonObject report = there.awaitMethod("notifications/progress").object("params");
        assertThat(report.string("progressToken")).isEqualTo("steps");
        there.result("tasks/cancel", RawClient.id(task));
        assertThat(waiting.error().integer("code")).isEqualTo(-32603);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Requirement({"TASK-082", "TASK-087", "TASK-088"})
    void eitherNodeCancelsARunAndWaitersAreNotified(boolean whereItRuns) throws Exception {
        JsonObject task = here.start("task_sleep_forever", JsonObject.EMPTY);
        RawClient.Pending fromHere = awaitOutcome(here, task);
        RawClient.Pending fromThere = awaitOutcome(there, task);
        awaitRunning(1);

        JsonObject cancelled =
                (whereItRuns ? here : there).result("tasks/cancel", RawClient.id(task));
        assertThat(cancelled.string("status")).isEqualTo("cancelled");
        assertThat(fromHere.error().integer("code")).isEqualTo(-32603);
        assertThat(fromThere.error().integer("code")).isEqualTo(-32603);
        awaitRunning(0);
        assertThat(here.task(task).string("status")).isEqualTo("cancelled");
    }

    /** Waits until so many handlers run where tasks are started. */
    private void awaitRunning(long running) {
        JsonObject stats = RawClient.call("interop_stats", JsonObject.EMPTY);
        RawClient.looking(running + " handlers run")
                .until(
                        () ->
                                here.result("tools/call", stats)
                                                .object("structuredContent")
                                                .object("forever")
                                                .integer("running")
                                        == running);
    }

    @Test
    @Requirement({"TASK-080", "TASK-062"})
    void aTaskThatAsksAtOneNodeIsCancelledThroughTheOther() throws Exception {
        JsonObject task = here.start("task_elicit", JsonObject.EMPTY);
        RawClient.Pending waiting = awaitOutcome(here, task);
        JsonObject question = here.awaitQuestion("elicitation/create", task);
        there.result("tasks/cancel", RawClient.id(task));
        assertThat(waiting.error().integer("code")).isEqualTo(-32603);
        here.respond(question, RawClient.accepted("name", "Ada"));
        assertThat(there.task(task).string("status")).isEqualTo("cancelled");
    }
}
