package dev.fairlead.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.Answers;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.InputRequiredException;
import dev.fairlead.server.handler.Question;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Bodies that start again after every answer. */
@Timeout(300)
class ReplayTest {
    record Confirm(boolean ok) {}

    private final AtomicInteger runs = new AtomicInteger();
    private final AtomicInteger charges = new AtomicInteger();
    private final List<String> keys = new ArrayList<>();

    private String buy(NoInput none, Call call) throws InterruptedException {
        runs.incrementAndGet();
        int price = call.once("price", Integer.class, () -> 5);
        boolean first = call.elicit("Pay " + price + "?", Confirm.class).orElseThrow().ok();
        call.once(
                "charge",
                () -> {
                    keys.add(call.idempotencyKey());
                    charges.incrementAndGet();
                });
        boolean second = call.elicit("Wrap it?", Confirm.class).orElseThrow().ok();
        return first + " " + second;
    }

    private McpServer.Builder shop() {
        return McpServer.named("shop", "1")
                .tool("buy", "Tested", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle(this::buy)
                .tool("unsteady", "Tested", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle(
                        (none, call) -> {
                            int run = runs.incrementAndGet();
                            call.elicit("Question " + run, Confirm.class);
                            return "never";
                        });
    }

    /**
     * Returns a client of sessions: in rounds every body starts again, with any setting of the kit.
     */
    private static McpClient.Builder buyer() {
        return McpClient.named("buyer", "1")
                .revisions(Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE)
                .onElicitForm(
                        form -> Answer.accept(JsonObject.of("ok", form.message().startsWith("P"))));
    }

    @Test
    void aPlainCallStartsAgainAfterEveryAnswerAndDoesNothingTwice() throws Exception {
        try (McpTest test = McpTest.of(shop()).replaying()) {
            assertThat(test.client(buyer()).callTool("buy", JsonObject.EMPTY).text())
                    .isEqualTo("true false");
            assertThat(runs).hasValue(3);
            assertThat(charges).hasValue(1);
        }
    }

    @Test
    void aHandlerMayAskOnAThreadWhoseFailureIsWrapped() throws Exception {
        McpServer.Builder server =
                McpServer.named("shop", "1")
                        .tool("buy", "Tested", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    FutureTask<String> bought =
                                            new FutureTask<>(() -> buy(none, call));
                                    Thread.startVirtualThread(bought);
                                    return bought.get();
                                });
        try (McpTest test = McpTest.of(server).replaying()) {
            assertThat(test.client(buyer()).callTool("buy", JsonObject.EMPTY).text())
                    .isEqualTo("true false");
            assertThat(runs).hasValue(3);
        }
    }

    @Test
    void aHandlerThatSwallowsTheErrorOfAQuestionFails() throws Exception {
        McpServer.Builder server =
                McpServer.named("shop", "1")
                        .tool("buy", "Tested", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    try {
                                        return buy(none, call);
                                    } catch (Error e) {
                                        return "swallowed";
                                    }
                                });
        try (McpTest test = McpTest.of(server).replaying()) {
            McpClient client = test.client(buyer());
            assertThatThrownBy(() -> client.callTool("buy", JsonObject.EMPTY))
                    .hasMessageContaining("ended before its question was answered");
        }
    }

    @Test
    void aTaskDoesToo() throws Exception {
        try (McpTest test = McpTest.of(shop()).replaying();
                RawPeer peer = test.rawClient("{\"elicitation\": {}}")) {
            peer.send(
                    """
                    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "buy", "task": {}}}\
                    """);
            String id = peer.next().object("result").object("task").string("taskId");
            peer.send(
                    """
                    {"jsonrpc": "2.0", "id": 2, "method": "tasks/result", "params": {"taskId": "%s"}}\
                    """
                            .formatted(id));
            List<String> questions = new ArrayList<>();
            JsonObject message = peer.next();
            while (!message.has("result")) {
                if (message.has("id")) {
                    questions.add(message.object("params").string("message"));
                    peer.send(
                            """
                            {"jsonrpc": "2.0", "id": %s, "result": {"action": "accept", "content": {"ok": true}}}\
                            """
                                    .formatted(message.get("id")));
                }
                message = peer.next();
            }

            assertThat(message.toString()).contains("true true");
            assertThat(questions).containsExactly("Pay 5?", "Wrap it?");
            assertThat(runs).hasValue(3);
            assertThat(charges).hasValue(1);
        }
    }

    private McpServer.Builder several() {
        return McpServer.named("several", "1")
                .tool("several", "Tested", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            runs.incrementAndGet();
                            var pay = Question.elicit("Pay?", Confirm.class);
                            var wrap = Question.elicit("Wrap it?", Confirm.class);
                            Answers first = call.ask(pay, wrap);
                            boolean last =
                                    call.elicit("Pick it up?", Confirm.class).orElseThrow().ok();
                            return first.to(pay).orElseThrow().ok()
                                    + " "
                                    + first.to(wrap).orElseThrow().ok()
                                    + " "
                                    + last;
                        })
                .tool("thrown", "Tested", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            runs.incrementAndGet();
                            return call.retry()
                                    .orElseThrow(
                                            () ->
                                                    new InputRequiredException(
                                                            List.of(
                                                                    Question.elicit(
                                                                                    "Pay?",
                                                                                    Confirm.class)
                                                                            .as("pay")),
                                                            null))
                                    .answers()
                                    .get("pay")
                                    .object("content")
                                    .toJson();
                        })
                .tool("unsteadyTogether", "Tested", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            int run = runs.incrementAndGet();
                            call.elicit("Pay?", Confirm.class);
                            call.ask(
                                    Question.elicit("Wrap it?", Confirm.class),
                                    Question.elicit("Question " + run, Confirm.class));
                            return "never";
                        });
    }

    /** The client answers neither question before it has both. */
    @Test
    void whatIsAskedTogetherIsOneStep() throws Exception {
        CyclicBarrier both = new CyclicBarrier(2);
        McpClient.Builder client =
                McpClient.named("buyer", "1")
                        .revisions(Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE)
                        .onElicitForm(
                                form -> {
                                    if (!form.message().startsWith("Pick")) {
                                        both.await(30, TimeUnit.SECONDS);
                                    }
                                    return Answer.accept(
                                            JsonObject.of("ok", form.message().startsWith("P")));
                                });
        try (McpTest test = McpTest.of(several()).replaying()) {
            assertThat(test.client(client).callTool("several", JsonObject.EMPTY).text())
                    .isEqualTo("true false true");
            assertThat(runs).hasValue(3);
        }
    }

    @Test
    void oneOfSeveralThatChangesFailsTheCall() throws Exception {
        try (McpTest test = McpTest.of(several()).replaying()) {
            assertThatThrownBy(
                            () ->
                                    test.client(buyer())
                                            .callTool("unsteadyTogether", JsonObject.EMPTY))
                    .hasMessageContaining(
                            "Question 3 (elicitation/create) is not the one that an earlier run"
                                    + " asked at its place");
        }
    }

    /** Such a handler starts again by itself. */
    @Test
    void aHandlerThatThrowsItsQuestionsIsEnteredTwice() throws Exception {
        try (McpTest test = McpTest.of(several()).replaying()) {
            assertThat(test.client(buyer()).callTool("thrown", JsonObject.EMPTY).text())
                    .isEqualTo("{\"ok\":true}");
            assertThat(runs).hasValue(2);
        }
    }

    @Test
    void withoutItTheBodyRunsOnce() throws Exception {
        try (McpTest test = McpTest.of(shop())) {
            test.client(buyer()).callTool("buy", JsonObject.EMPTY);
            assertThat(runs).hasValue(1);
        }
    }

    @Test
    void aQuestionThatChangesFromRunToRunFailsTheCall() throws Exception {
        try (McpTest test = McpTest.of(shop()).replaying()) {
            assertThatThrownBy(() -> test.client(buyer()).callTool("unsteady", JsonObject.EMPTY))
                    .hasMessageContaining(
                            "Question 1 (elicitation/create) is not the one that an earlier run"
                                    + " asked at its place");
        }
    }

    @Test
    void aServerInUseDoesNotChange() {
        try (McpTest test = McpTest.of(shop())) {
            test.server();
            assertThatThrownBy(test::replaying).isInstanceOf(IllegalStateException.class);
        }
    }
}
