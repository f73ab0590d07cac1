package dev.fairlead.proofs.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.test.shared.RawClient;
import dev.fairlead.test.shared.StreamClient;
import dev.fairlead.test.support.ClosingTest;
import dev.fairlead.testing.RoundRobin;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A session of revision 2025-11-25 that begins at one of three processes and is used at the others,
 * a row for each operation.
 */
@Tag("proof")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class SessionsAcrossNodesTest extends ClosingTest {
    private static final String WATCHED = "test://watched-resource";
    private static final String CAPABILITIES =
            """
            {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {"listChanged": true}}\
            """;

    private static Nodes nodes;

    /** Clients of the three nodes in one session, which began at the first. */
    private StreamClient owner;

    private StreamClient other;
    private StreamClient third;

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
        owner = client(nodes.url(0));
        other = closedLater(owner.sameSession(nodes.url(1)));
        third = closedLater(other.sameSession(nodes.url(2)));
    }

    private StreamClient client(String url) throws Exception {
        StreamClient client = closedLater(new StreamClient(url));
        client.initialize(CAPABILITIES);
        return client;
    }

    private static JsonObject called(RawClient client, String tool, JsonObject arguments)
            throws Exception {
        return client.result("tools/call", RawClient.call(tool, arguments));
    }

    private static String text(RawClient client, String tool) throws Exception {
        return RawClient.text(called(client, tool, JsonObject.EMPTY));
    }

    // ---- requests

    @Test
    void aPingIsAnswered() throws Exception {
        assertThat(other.result("ping", JsonObject.EMPTY)).isEqualTo(JsonObject.EMPTY);
        assertThat(third.result("ping", JsonObject.EMPTY)).isEqualTo(JsonObject.EMPTY);
    }

    @Test
    void listsAreTheSame() throws Exception {
        for (String list : List.of("tools/list", "prompts/list", "resources/templates/list")) {
            JsonObject here = owner.result(list, JsonObject.EMPTY);
            assertThat(other.result(list, JsonObject.EMPTY)).isEqualTo(here);
            assertThat(third.result(list, JsonObject.EMPTY)).isEqualTo(here);
        }
    }

    @Test
    void aListIsContinued() throws Exception {
        JsonObject first = owner.result("resources/list", JsonObject.EMPTY);
        JsonObject cursor = JsonObject.of("cursor", first.string("nextCursor"));

        JsonObject rest = other.result("resources/list", cursor);

        assertThat(rest).isEqualTo(owner.result("resources/list", cursor)).isNotEqualTo(first);
    }

    @Test
    void aToolIsCalled() throws Exception {
        assertThat(RawClient.text(called(other, "interop_echo", JsonObject.of("text", "héllo"))))
                .isEqualTo("héllo");
    }

    @Test
    void aStructuredResultComesBack() throws Exception {
        JsonObject weather = called(other, "interop_structured", JsonObject.of("city", "Kiel"));
        assertThat(weather.object("structuredContent").string("city")).isEqualTo("Kiel");
    }

    @Test
    void aResourceIsRead() throws Exception {
        JsonObject uri = JsonObject.of("uri", "interop://page/003");
        assertThat(other.result("resources/read", uri).toJson()).contains("Page 003");
    }

    @Test
    void aResourceOfATemplateIsRead() throws Exception {
        JsonObject uri = JsonObject.of("uri", "interop://items/item-007");
        assertThat(other.result("resources/read", uri).toJson()).contains("Item item-007");
    }

    @Test
    void aPromptIsRead() throws Exception {
        JsonObject prompt =
                JsonObject.of("name", "interop_prompt", "arguments", JsonObject.of("lang", "java"));
        assertThat(other.result("prompts/get", prompt).toJson()).contains("nice about java");
    }

    @Test
    void anArgumentIsCompleted() throws Exception {
        JsonObject typed =
                JsonObject.of(
                        "ref",
                        JsonObject.of("type", "ref/prompt", "name", "interop_prompt"),
                        "argument",
                        JsonObject.of("name", "lang", "value", "ja"));
        assertThat(other.result("completion/complete", typed).toJson()).contains("java");
    }

    @Test
    void anUnknownMethodIsRefused() throws Exception {
        assertThat(other.error("no/such", JsonObject.EMPTY).integer("code")).isEqualTo(-32601);
    }

    @Test
    void anUnknownToolIsRefusedInTheSameWords() throws Exception {
        JsonObject unknown = RawClient.call("no_such", JsonObject.EMPTY);
        assertThat(other.error("tools/call", unknown))
                .isEqualTo(owner.error("tools/call", unknown));
    }

    @Test
    void twelveSessionsAreServedAtOnceByRotation() throws Exception {
        RoundRobin balancer = closedLater(new RoundRobin(nodes.ports()));
        List<RawClient.Pending> calls = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            StreamClient client = client(balancer.uri().toString());
            calls.add(
                    client.request(
                            "tools/call",
                            RawClient.call("interop_slow", JsonObject.of("ms", 200))));
        }
        for (RawClient.Pending call : calls) {
            assertThat(RawClient.text(call.result())).isEqualTo("slept 200");
        }
    }

    // ---- notifications for a request

    @Test
    void progressComesWithItsCall() throws Exception {
        JsonObject call =
                RawClient.call("interop_slow", JsonObject.of("ms", 50, "steps", 2))
                        .with("_meta", JsonObject.of("progressToken", "steps"));
        RawClient.Pending pending = other.request("tools/call", call);

        JsonObject report = other.awaitMethod("notifications/progress").object("params");
        assertThat(report.string("progressToken")).isEqualTo("steps");
        pending.result();
    }

    @Test
    void logMessagesComeWithTheirCall() throws Exception {
        owner.result("logging/setLevel", JsonObject.of("level", "debug"));
        text(other, "test_tool_with_logging");
        assertThat(other.awaitMethod("notifications/message").toJson())
                .contains("Tool execution started");
    }

    @Test
    void theLevelOfTheLogIsThatOfTheSession() throws Exception {
        third.result("logging/setLevel", JsonObject.of("level", "error"));
        text(other, "test_tool_with_logging");
        assertThat(other.hasReceived("notifications/message")).isFalse();
    }

    @Test
    void aCallIsCancelled() throws Exception {
        long before = slow("cancelled");
        long id =
                owner.sendUnanswered(
                        "tools/call",
                        RawClient.call("interop_slow", JsonObject.of("ms", 3_600_000)));
        RawClient.looking("the call runs").until(() -> slow("running") > 0);

        third.send(
                "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\", \"params\":"
                        + " {\"requestId\": "
                        + id
                        + "}}");

        RawClient.looking("the call is cancelled").until(() -> slow("cancelled") == before + 1);
    }

    private long slow(String count) throws Exception {
        return called(owner, "interop_stats", JsonObject.EMPTY)
                .object("structuredContent")
                .object("slow")
                .integer(count);
    }

    // ---- questions of calls

    @Test
    void aFormIsAnsweredAtAThirdNode() throws Exception {
        RawClient.Pending call =
                other.request(
                        "tools/call",
                        RawClient.call("test_elicitation", JsonObject.of("message", "Who?")));
        JsonObject question = other.awaitMethod("elicitation/create");
        third.respond(
                question,
                JsonObject.of(
                        "action",
                        "accept",
                        "content",
                        JsonObject.of("username", "ada", "email", "ada@example.com")));
        assertThat(RawClient.text(call.result())).contains("ada@example.com");
    }

    @Test
    void aSampleIsTakenAtAThirdNode() throws Exception {
        RawClient.Pending call =
                other.request(
                        "tools/call",
                        RawClient.call("test_sampling", JsonObject.of("prompt", "Hello?")));
        JsonObject question = other.awaitMethod("sampling/createMessage");
        third.respond(
                question,
                JsonObject.of(
                        "role",
                        "assistant",
                        "model",
                        "none",
                        "content",
                        JsonObject.of("type", "text", "text", "sampled")));
        assertThat(RawClient.text(call.result())).isEqualTo("LLM response: sampled");
    }

    @Test
    void rootsComeFromAThirdNode() throws Exception {
        RawClient.Pending call =
                other.request("tools/call", RawClient.call("interop_roots", JsonObject.EMPTY));
        JsonObject question = other.awaitMethod("roots/list");
        third.respond(
                question,
                JsonObject.of("roots", JsonArray.of(JsonObject.of("uri", "file:///home/ada"))));
        assertThat(RawClient.text(call.result())).contains("file:///home/ada");
    }

    @Test
    void aPageIsVisited() throws Exception {
        RawClient.Pending call =
                other.request("tools/call", RawClient.call("interop_elicit_url", JsonObject.EMPTY));
        JsonObject question = other.awaitMethod("elicitation/create");
        assertThat(question.object("params").string("mode")).isEqualTo("url");
        third.respond(question, JsonObject.of("action", "accept"));
        assertThat(RawClient.text(call.result())).isEqualTo("action=accept");
    }

    @Test
    void twoQuestionsAreAnsweredAtTwoNodes() throws Exception {
        RawClient.Pending call =
                other.request("tools/call", RawClient.call("interop_rounds", JsonObject.EMPTY));
        third.respond(other.awaitMethod("elicitation/create"), RawClient.accepted("a", "one"));
        owner.respond(other.awaitMethod("elicitation/create"), RawClient.accepted("b", "two"));
        JsonObject seen = call.result().object("structuredContent");
        assertThat(seen.string("a") + " " + seen.string("b")).isEqualTo("one two");
        assertThat(seen.integer("bodies")).isOne();
    }

    // ---- changes

    @Test
    void aSubscriberIsNotifiedOnAnyStream() throws Exception {
        other.result("resources/subscribe", JsonObject.of("uri", WATCHED));
        third.listen();
        touch(client(nodes.url(1)), WATCHED);
        assertUpdated(third, WATCHED);
    }

    @Test
    void aSubscriberAtItsNodeIsNotifiedOfAChangeElsewhere() throws Exception {
        owner.result("resources/subscribe", JsonObject.of("uri", WATCHED));
        owner.listen();
        touch(client(nodes.url(2)), WATCHED);
        assertUpdated(owner, WATCHED);
    }

    @Test
    void aSubscriptionEndsAtAnyNode() throws Exception {
        String last = "test://static-text";
        owner.result("resources/subscribe", JsonObject.of("uri", WATCHED));
        other.result("resources/subscribe", JsonObject.of("uri", last));
        third.result("resources/unsubscribe", JsonObject.of("uri", WATCHED));
        other.listen();
        StreamClient changing = client(nodes.url(2));
        touch(changing, WATCHED);
        touch(changing, last);
        assertUpdated(other, last); // the changes of a node come in their order
    }

    private static void touch(RawClient client, String uri) throws Exception {
        called(client, "interop_touch_resource", JsonObject.of("uri", uri));
    }

    private static void assertUpdated(RawClient client, String uri) throws Exception {
        JsonObject updated = client.awaitMethod("notifications/resources/updated");
        assertThat(updated.object("params").string("uri")).isEqualTo(uri);
    }

    @Test
    void aChangedListIsAnnouncedOnAnyStream() throws Exception {
        other.listen();
        text(client(nodes.url(2)), "test_trigger_tool_change");
        other.awaitMethod("notifications/tools/list_changed");
    }

    // ---- streams

    @Test
    void theStreamOfACallIsResumed() throws Exception {
        StreamClient cut = closedLater(owner.sameSession(nodes.url(1)));
        JsonObject call =
                RawClient.call("interop_slow", JsonObject.of("ms", 2_000, "steps", 20))
                        .with("_meta", JsonObject.of("progressToken", "steps"));
        long id = cut.sendUnanswered("tools/call", call);
        cut.awaitMethod("notifications/progress");
        cut.close();

        third.resume(cut);

        JsonObject result = third.next();
        while (!JsonValue.of(id).equals(result.get("id"))) {
            result = third.next();
        }
        assertThat(RawClient.text(result.object("result"))).isEqualTo("slept 2000");
    }

    @Test
    void theStreamOfTheSessionIsResumed() throws Exception {
        StreamClient cut = closedLater(owner.sameSession(nodes.url(1)));
        owner.result("resources/subscribe", JsonObject.of("uri", WATCHED));
        cut.listen();
        touch(owner, WATCHED);
        assertUpdated(cut, WATCHED);
        cut.close();
        touch(owner, WATCHED);

        third.resume(cut);

        assertUpdated(third, WATCHED);
    }

    @Test
    void aCallThatClosesItsStreamIsAnsweredOnTheNext() throws Exception {
        StreamClient cut = closedLater(owner.sameSession(nodes.url(1)));
        long id =
                cut.sendUnanswered(
                        "tools/call", RawClient.call("test_reconnection", JsonObject.EMPTY));
        RawClient.looking("the stream has ended").until(cut::hasEnded);

        third.resume(cut);

        JsonObject result = third.next();
        assertThat(result.get("id")).isEqualTo(JsonValue.of(id));
        assertThat(RawClient.text(result.object("result"))).contains("completed successfully");
    }

    // ---- sessions

    @Test
    void aSessionEndsEverywhere() throws Exception {
        assertThat(other.status("DELETE")).isEqualTo(204);
        for (StreamClient each : List.of(owner, other, third)) {
            assertThat(each.status("GET")).isEqualTo(404);
        }
    }

    @Test
    void anUnknownSessionIsUnknownEverywhere() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(owner.inSession("no-such-session", nodes.url(i)).status("GET"))
                    .isEqualTo(404);
        }
    }

    // ---- tasks

    @Test
    void aTaskIsWaitedForElsewhere() throws Exception {
        JsonObject task = owner.start("task_echo", JsonObject.of("text", "a", "delayMs", 300));
        assertThat(other.task(task).string("status")).isIn("working", "completed");
        assertThat(RawClient.text(third.result("tasks/result", RawClient.id(task)))).isEqualTo("a");
    }

    @Test
    void tasksAreListedElsewhere() throws Exception {
        JsonObject task = owner.start("task_echo", JsonObject.of("text", "a"));
        assertThat(other.result("tasks/list", JsonObject.EMPTY).toJson())
                .contains(task.string("taskId"));
    }

    @Test
    void theQuestionOfATaskIsAnsweredAtAThirdNode() throws Exception {
        JsonObject task = owner.start("task_elicit", JsonObject.EMPTY);
        RawClient.Pending result = other.request("tasks/result", RawClient.id(task));
        JsonObject question = other.awaitQuestion("elicitation/create", task);
        third.respond(question, RawClient.accepted("name", "Ada"));
        assertThat(RawClient.text(result.result())).isEqualTo("Hello Ada");
    }

    @Test
    void theQuestionOfATaskComesOnTheStreamOfTheSession() throws Exception {
        JsonObject task = owner.start("task_elicit", JsonObject.EMPTY);
        third.listen();
        JsonObject question = third.awaitQuestion("elicitation/create", task);
        other.respond(question, RawClient.accepted("name", "Ada"));
        assertThat(RawClient.text(other.result("tasks/result", RawClient.id(task))))
                .isEqualTo("Hello Ada");
    }

    @Test
    void aTaskIsCancelledElsewhere() throws Exception {
        JsonObject task = owner.start("task_sleep_forever", JsonObject.EMPTY);
        RawClient.Pending result = other.request("tasks/result", RawClient.id(task));
        assertThat(third.result("tasks/cancel", RawClient.id(task)).string("status"))
                .isEqualTo("cancelled");
        assertThat(result.error().integer("code")).isEqualTo(-32603);
    }

    @Test
    void aTaskReportsProgressElsewhere() throws Exception {
        JsonObject call =
                RawClient.taskCall(
                                "task_progress", JsonObject.of("steps", 600, "delayMs", 100), null)
                        .with("_meta", JsonObject.of("progressToken", "steps"));
        JsonObject task = owner.result("tools/call", call).object("task");
        other.sendUnanswered("tasks/result", RawClient.id(task));
        other.awaitMethod("notifications/progress");
        third.result("tasks/cancel", RawClient.id(task));
    }

    @Test
    void theStatusOfATaskComesOnAnyStream() throws Exception {
        third.listen();
        JsonObject task = other.start("task_echo", JsonObject.of("text", "a", "delayMs", 300));
        JsonObject status = third.awaitMethod("notifications/tasks/status").object("params");
        assertThat(status.string("taskId")).isEqualTo(task.string("taskId"));
    }
}
