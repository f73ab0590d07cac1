package dev.fairlead.proofs.nodes;

import static dev.fairlead.protocol.Revision.V2025_11_25;
import static dev.fairlead.protocol.Revision.V2026_07_28;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.mrtr.InputRequiredResult;
import dev.fairlead.protocol.prompts.GetPromptRequest;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.test.shared.RawClient;
import dev.fairlead.test.support.ClosingTest;
import dev.fairlead.testing.RoundRobin;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Requests of revision 2026-07-28 at three processes, each step at another one: a row for each
 * operation.
 */
@Tag("proof")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class RequestsAcrossNodesTest extends ClosingTest {
    private static final String ASKING = "test_input_required_result_";
    private static final String WATCHED = "test://watched-resource";

    private static Nodes nodes;

    private McpClient first;
    private McpClient second;
    private McpClient third;

    @BeforeAll
    static void start() throws Exception {
        nodes = Nodes.start(3);
    }

    @AfterAll
    static void stop() throws Exception {
        nodes.close();
    }

    @BeforeEach
    void connect() throws Exception {
        first = connect(nodes.url(0));
        second = connect(nodes.url(1));
        third = connect(nodes.url(2));
    }

    private static McpClient.Builder client() {
        return Callers.of(V2026_07_28)
                .acceptTasks()
                .onElicitUrl(link -> Answer.accept())
                .onSample(request -> CreateMessageResult.text("none", "sampled"))
                .roots(new Root("file:///home/ada"));
    }

    private McpClient connect(String url) throws InterruptedException {
        return closedLater(client().connect(Http.to(URI.create(url))));
    }

    /** A client whose requests go to the nodes in turns. */
    private McpClient rotating() throws Exception {
        return connect(closedLater(new RoundRobin(nodes.ports())).uri().toString());
    }

    private List<McpClient> all() {
        return List.of(first, second, third);
    }

    private static <R> InputRequiredResult asked(Outcome<R> outcome) {
        return ((Outcome.InputRequired<R>) outcome).input();
    }

    // ---- requests

    @Test
    void discoveryIsTheSame() throws Exception {
        JsonObject here = first.request("server/discover", JsonObject.EMPTY);
        assertThat(second.request("server/discover", JsonObject.EMPTY)).isEqualTo(here);
        assertThat(third.request("server/discover", JsonObject.EMPTY)).isEqualTo(here);
    }

    @Test
    void listsAreTheSameInOneOrder() throws Exception {
        for (String list :
                List.of(
                        "tools/list",
                        "prompts/list",
                        "resources/list",
                        "resources/templates/list")) {
            JsonObject here = first.request(list, JsonObject.EMPTY);
            assertThat(here.has("ttlMs")).as(list).isTrue();
            assertThat(second.request(list, JsonObject.EMPTY)).isEqualTo(here);
            assertThat(third.request(list, JsonObject.EMPTY)).isEqualTo(here);
        }
    }

    @Test
    void aListIsContinuedElsewhere() throws Exception {
        String cursor = first.resourcePage(null).nextCursor();
        assertThat(second.resourcePage(cursor)).isEqualTo(first.resourcePage(cursor));
    }

    @Test
    void callsRotate() throws Exception {
        McpClient client = rotating();
        for (int i = 0; i < 12; i++) {
            assertThat(client.callTool("interop_echo", JsonObject.of("text", "t" + i)).text())
                    .isEqualTo("t" + i);
        }
    }

    @Test
    void aResourceIsReadAtAnyNode() throws Exception {
        for (McpClient each : all()) {
            assertThat(each.readResource("interop://items/item-007").contents().toString())
                    .contains("Item item-007");
        }
    }

    @Test
    void progressComesWithItsCall() throws Exception {
        CountDownLatch reported = new CountDownLatch(2);
        rotating()
                .withProgress(progress -> reported.countDown())
                .callTool("interop_slow", JsonObject.of("ms", 20, "steps", 2));
        assertThat(reported.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void callsOfClientsThatLeaveAreInterruptedThroughTheBalancer() throws Exception {
        long before = slow("cancelled");
        RoundRobin balancer = closedLater(new RoundRobin(nodes.ports()));
        McpClient client = // without tasks: a call that may be one is not withdrawn
                closedLater(
                        McpClient.named("leaving", "1")
                                .revisions(V2026_07_28, V2026_07_28)
                                .connect(Http.to(balancer.uri())));
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            callers.add(
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            client.withProgress(progress -> {})
                                                    .callTool(
                                                            "interop_slow",
                                                            JsonObject.of(
                                                                    "ms", 600_000, "steps", 5_000));
                                        } catch (InterruptedException e) {
                                            Thread.currentThread().interrupt();
                                        }
                                    }));
        }
        RawClient.looking("all calls run").until(() -> slow("running") == 6);
        callers.forEach(Thread::interrupt);
        RawClient.looking("all were interrupted").until(() -> slow("cancelled") == before + 6);
    }

    private long slow(String count) throws InterruptedException {
        long sum = 0;
        for (McpClient each : all()) {
            JsonObject stats =
                    (JsonObject)
                            each.callTool("interop_stats", JsonObject.EMPTY).structuredContent();
            sum += stats.object("slow").integer(count);
        }
        return sum;
    }

    // ---- rounds

    @Test
    void eachRoundReachesAnotherNodeAndEffectsHappenOnce() throws Exception {
        CallToolRequest request = new CallToolRequest("interop_rounds", JsonObject.EMPTY);
        InputRequiredResult one = asked(first.firstRound(request));
        InputRequiredResult two =
                asked(
                        second.nextRound(
                                request,
                                Map.of("first", RawClient.accepted("a", "one")),
                                one.requestState()));
        CallToolResult last =
                ((Outcome.Complete<CallToolResult>)
                                third.nextRound(
                                        request,
                                        Map.of("second", RawClient.accepted("b", "two")),
                                        two.requestState()))
                        .result();

        JsonObject seen = (JsonObject) last.structuredContent();
        assertThat(seen.string("a") + " " + seen.string("b")).isEqualTo("one two");
        assertThat(seen.integer("effects")).as("repeated at the last node").isZero();
        assertThat(seen.integer("bodies")).as("those of the last node").isOne();
    }

    @Test
    void allKindsOfQuestionsAreAskedTogether() throws Exception {
        assertThat(text(ASKING + "multiple_inputs")).isEqualTo("sampled Ada, you have roots: 1");
    }

    @Test
    void aSampleIsTaken() throws Exception {
        assertThat(text(ASKING + "sampling")).isEqualTo("sampled");
    }

    @Test
    void rootsAreListed() throws Exception {
        assertThat(text(ASKING + "list_roots")).isEqualTo("Roots: 1");
    }

    @Test
    void fourRoundsInARow() throws Exception {
        assertThat(text(ASKING + "capabilities")).contains("Ada", "sampled", "roots 1");
    }

    @Test
    void aPageIsVisited() throws Exception {
        assertThat(text("interop_elicit_url")).isEqualTo("action=accept");
    }

    @Test
    void progressAndAQuestionInOneCall() throws Exception {
        assertThat(text("test_streaming_elicitation")).contains("Ada");
    }

    private String text(String tool) throws Exception {
        return rotating().callTool(tool, JsonObject.EMPTY).text();
    }

    @Test
    void aPromptAsks() throws Exception {
        assertThat(rotating().getPrompt(new GetPromptRequest(ASKING + "prompt")).toString())
                .contains("Context: rain");
    }

    @Test
    void anAlteredStateIsRefused() throws Exception {
        CallToolRequest request = new CallToolRequest("interop_rounds", JsonObject.EMPTY);
        String state = asked(first.firstRound(request)).requestState();
        char last = state.charAt(40);
        String altered = state.substring(0, 40) + (last == 'A' ? 'B' : 'A') + state.substring(41);
        refusesState(second, request, altered);
    }

    @Test
    void aStateForOtherArgumentsIsRefused() throws Exception {
        String state =
                asked(first.firstRound(new CallToolRequest("interop_rounds", JsonObject.EMPTY)))
                        .requestState();
        refusesState(third, new CallToolRequest("interop_rounds", JsonObject.of("x", 1)), state);
        refusesState(third, new CallToolRequest("interop_held", JsonObject.EMPTY), state);
    }

    private static void refusesState(McpClient client, CallToolRequest request, String state) {
        assertThatThrownBy(
                        () ->
                                client.nextRound(
                                        request,
                                        Map.of("first", RawClient.accepted("a", "one")),
                                        state))
                .isInstanceOf(JsonRpcException.class)
                .hasMessageContaining("requestState");
    }

    @Test
    void aMissingCapabilityIsNamedInTheSameWords() throws Exception {
        List<String> refusals = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            McpClient bare =
                    closedLater(
                            McpClient.named("bare", "1")
                                    .revisions(V2026_07_28, V2026_07_28)
                                    .connect(Http.to(URI.create(nodes.url(i)))));
            assertThatThrownBy(() -> bare.callTool("test_missing_capability", JsonObject.EMPTY))
                    .isInstanceOf(JsonRpcException.class)
                    .satisfies(e -> refusals.add(e.getMessage()));
        }
        assertThat(refusals).hasSize(3);
        assertThat(refusals.stream().distinct()).hasSize(1);
    }

    // ---- held calls

    @RepeatedTest(12)
    void eachRoundOfAHeldCallReachesItsNode() throws Exception {
        JsonObject seen =
                (JsonObject)
                        rotating().callTool("interop_held", JsonObject.EMPTY).structuredContent();
        assertThat(seen.string("a") + " " + seen.string("b")).isEqualTo("one two");
        assertThat(seen.integer("bodies")).isOne();
        assertThat(seen.integer("effects")).isOne();
    }

    @Test
    void aHeldCallIsAnsweredOnce() throws Exception {
        CallToolRequest request = new CallToolRequest("interop_held", JsonObject.EMPTY);
        String state = asked(first.firstRound(request)).requestState();
        Map<String, JsonObject> answer = Map.of("first", RawClient.accepted("a", "one"));
        asked(second.nextRound(request, answer, state));
        assertThatThrownBy(() -> third.nextRound(request, answer, state))
                .isInstanceOfSatisfying(
                        JsonRpcException.class,
                        e -> assertThat(e.error().data().toJson()).contains("call_gone"));
    }

    // ---- changes

    @Test
    void aResourceThatChangesAnywhereIsReportedEverywhere() throws Exception {
        CountDownLatch updated = new CountDownLatch(3);
        for (McpClient each : all()) {
            CountDownLatch own = new CountDownLatch(1);
            closedLater(
                    each.watch(
                            WATCHED,
                            uri -> {
                                own.countDown();
                                updated.countDown();
                            }));
        }
        second.callTool("interop_touch_resource", JsonObject.of("uri", WATCHED));
        assertThat(updated.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aListOfToolsThatChangesAnywhereIsReportedEverywhere() throws Exception {
        changed("test_trigger_tool_change", true);
    }

    @Test
    void aListOfPromptsThatChangesAnywhereIsReportedEverywhere() throws Exception {
        changed("test_trigger_prompt_change", false);
    }

    private void changed(String tool, boolean ofTools) throws Exception {
        CountDownLatch changed = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) {
            CountDownLatch own = new CountDownLatch(1);
            McpClient.Builder listening = client();
            if (ofTools) {
                listening.onToolsChanged(list -> count(own, changed));
            } else {
                listening.onPromptsChanged(list -> count(own, changed));
            }
            closedLater(listening.connect(Http.to(URI.create(nodes.url(i)))));
        }
        // a stream may be opened a moment after its client has connected
        RawClient.looking("all were notified")
                .until(
                        () -> {
                            third.callTool(tool, JsonObject.EMPTY);
                            return changed.getCount() == 0;
                        });
    }

    private static void count(CountDownLatch own, CountDownLatch all) {
        if (own.getCount() > 0) {
            own.countDown();
            all.countDown();
        }
    }

    // ---- tasks

    private TaskId started(McpClient client, String tool, JsonObject arguments) throws Exception {
        return client.startTool(new CallToolRequest(tool, arguments)).id().orElseThrow();
    }

    private static String result(McpClient client, TaskId task) throws Exception {
        return client.task(task, String.class).await();
    }

    @Test
    void aTaskIsReadAndWaitedForElsewhere() throws Exception {
        TaskId task = started(first, "task_echo", JsonObject.of("text", "héllo", "delayMs", 300));
        assertThat(second.getTask(task).id()).isEqualTo(task);
        assertThat(third.taskResult(task).toString()).contains("héllo");
    }

    @Test
    void theQuestionOfATaskIsAnsweredElsewhere() throws Exception {
        TaskId task = started(first, "task_elicit", JsonObject.EMPTY);
        assertThat(third.taskResult(task).toString()).contains("Hello Ada");
    }

    @Test
    void twoQuestionsOfATaskAreAnsweredElsewhere() throws Exception {
        TaskId task = started(first, "multi_input", JsonObject.EMPTY);
        assertThat(second.taskResult(task).toString()).contains("Ada Ada");
    }

    @Test
    void aCallBecomesATaskAfterItsQuestion() throws Exception {
        TaskHandle<CallToolResult> task =
                rotating().startTool(new CallToolRequest("test_tool_with_task", JsonObject.EMPTY));
        assertThat(task.await().text()).isEqualTo("Hello, Ada!");
    }

    @Test
    void aTaskIsCancelledElsewhere() throws Exception {
        TaskId task = started(first, "task_sleep_forever", JsonObject.EMPTY);
        second.cancelTask(task);
        RawClient.looking("the task is cancelled")
                .until(() -> third.getTask(task).status().toString().equalsIgnoreCase("cancelled"));
    }

    @Test
    void theStatusOfATaskIsReportedAtAllNodes() throws Exception {
        TaskId task = started(first, "task_echo", JsonObject.of("text", "a", "delayMs", 1_000));
        CountDownLatch ended = new CountDownLatch(3);
        for (McpClient each : all()) {
            each.task(task)
                    .onStatus(
                            changed -> {
                                if (changed.status().isTerminal()) {
                                    ended.countDown();
                                }
                            })
                    .await();
        }
        assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void tasksOfBothRevisionsRunBesideEachOther() throws Exception {
        McpClient older =
                closedLater(
                        Callers.of(V2025_11_25)
                                .connect(
                                        Http.to(closedLater(new RoundRobin(nodes.ports())).uri())));
        TaskHandle<CallToolResult> old =
                older.startTool(new CallToolRequest("task_elicit", JsonObject.EMPTY));
        TaskHandle<CallToolResult> fresh =
                rotating().startTool(new CallToolRequest("task_elicit", JsonObject.EMPTY));
        assertThat(old.await().text()).isEqualTo("Hello Ada");
        assertThat(fresh.await().text()).isEqualTo("Hello Ada");
    }

    @Test
    void anUnknownTaskIsRefusedInTheSameWords() {
        List<String> refusals = new ArrayList<>();
        for (McpClient each : all()) {
            assertThatThrownBy(() -> each.request("tasks/get", JsonObject.of("taskId", "none")))
                    .isInstanceOfSatisfying(
                            JsonRpcException.class, e -> refusals.add(e.error().toString()));
        }
        assertThat(refusals.stream().distinct()).hasSize(1);
    }
}
