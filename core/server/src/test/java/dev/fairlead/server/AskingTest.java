package dev.fairlead.server;

import static dev.fairlead.server.Peer.code;
import static dev.fairlead.server.Peer.json;
import static dev.fairlead.server.Peer.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.elicitation.ElicitFormRequest;
import dev.fairlead.protocol.elicitation.ElicitRequest;
import dev.fairlead.protocol.elicitation.InvalidAnswerException;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.protocol.roots.ListRootsResult;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.handler.Answers;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.Handler;
import dev.fairlead.server.handler.InputRequiredException;
import dev.fairlead.server.handler.Question;
import dev.fairlead.server.handler.Retry;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Questions as values: in a session, as a task, and thrown by a handler. */
class AskingTest {
    record Name(String name) {}

    private static final String ALL =
            "{\"elicitation\": {\"form\": {}, \"url\": {}}, \"sampling\": {}, \"roots\": {}}";
    private static final String ADA = "{\"action\": \"accept\", \"content\": {\"name\": \"Ada\"}}";
    private static final String HI =
            """
            {"role": "assistant", "model": "m", "content": {"type": "text", "text": "Hi"}}\
            """;
    private static final String NO_ROOTS = "{\"roots\": []}";

    private static McpServer.Builder asking(Handler<NoInput, String> handler) {
        return McpServer.named("s", "1")
                .tool("t", "Tested", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle(handler);
    }

    private static Peer peer(McpServer server) throws Exception {
        return Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, ALL);
    }

    private static Question<Answer<Name>> name() {
        return Question.elicit("Name?", Name.class);
    }

    private static String greet(NoInput none, Call call) throws InterruptedException {
        var name = name().as("user_name");
        var greeting = Question.sample("Greet", 50);
        var roots = Question.roots();
        Answers answers = call.ask(name, greeting, roots);
        return answers.to(greeting).text()
                + " "
                + answers.to(name).orElseThrow().name()
                + " "
                + answers.to(roots);
    }

    private static void refuse(Peer peer, JsonObject question) {
        peer.send(
                "{\"jsonrpc\": \"2.0\", \"id\": %s, \"error\": {\"code\": -1, \"message\": \"no\"}}"
                        .formatted(question.get("id")));
    }

    /** The tool has failed, and says which question. */
    private static void assertRefused(JsonObject result, String method) {
        assertThat(result.bool("isError")).isTrue();
        assertThat(text(result)).isEqualTo("The client answered " + method + " with an error: no");
    }

    private static List<JsonObject> threeQuestions(Peer peer) throws Exception {
        return List.of(
                peer.next("elicitation/create"),
                peer.next("sampling/createMessage"),
                peer.next("roots/list"));
    }

    @Nested
    class Values {
        @ParameterizedTest
        @ValueSource(strings = {"", " ", "a b", "a/b", "ä", "q\n"})
        void aKeyHasOneTo64LegalCharacters(String key) {
            assertThatThrownBy(() -> Question.roots().as(key))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + key + "'");
        }

        @Test
        void aKeyIsPartOfACopy() {
            Question<?> plain = Question.sample("Greet", 50);
            String longest = "aZ09_-.x".repeat(8);
            assertThat(plain.as(longest).key()).isEqualTo(longest);
            assertThat(plain.key()).isNull();
            assertThatThrownBy(() -> plain.as(longest + "x"))
                    .isInstanceOf(IllegalArgumentException.class);
        }

        @Test
        void keysAndQuestionsAreUniqueInOneAsk() throws Exception {
            List<String> refusals = new CopyOnWriteArrayList<>();
            Handler<NoInput, String> handler =
                    (none, call) -> {
                        try {
                            call.ask(name().as("a"), Question.roots().as("a"));
                        } catch (IllegalArgumentException e) {
                            refusals.add(e.getMessage());
                        }
                        Question<?> twice = Question.roots();
                        try {
                            call.ask(twice, name(), twice);
                        } catch (IllegalArgumentException e) {
                            refusals.add(e.getMessage());
                        }
                        return "";
                    };
            try (McpServer server = asking(handler).build();
                    Peer peer = peer(server)) {
                peer.callTool("t", "{}");
                assertThat(refusals)
                        .containsExactly(
                                "Two questions have the key 'a'",
                                "The same question is asked twice; create one for each answer");
                assertThat(peer.rest()).isEmpty();
            }
        }

        @Test
        void theNumberOfQuestionsAskedTogetherHasALimit() throws Exception {
            Handler<NoInput, String> handler =
                    (none, call) -> {
                        Question<?>[] more = new Question<?>[99];
                        Arrays.setAll(more, i -> Question.roots());
                        try {
                            return "" + call.ask(Question.roots(), Question.roots(), more);
                        } catch (IllegalArgumentException e) {
                            return e.getMessage();
                        }
                    };
            try (McpServer server = asking(handler).build();
                    Peer peer = peer(server)) {
                assertThat(text(peer.callTool("t", "{}")))
                        .isEqualTo("Limit of questions that are asked together reached (100)");
                assertThat(peer.rest()).isEmpty();
            }
        }

        @Test
        void anAnswerBelongsToTheObjectThatWasAsked() throws Exception {
            AtomicReference<Throwable> refusal = new AtomicReference<>();
            Handler<NoInput, String> handler =
                    (none, call) -> {
                        Answers answers = call.ask(Question.roots(), name());
                        try {
                            answers.to(name());
                        } catch (IllegalArgumentException e) {
                            refusal.set(e);
                        }
                        return "";
                    };
            try (McpServer server = asking(handler).build();
                    Peer peer = peer(server)) {
                Pending call = peer.startTool("t", "{}");
                peer.answer(peer.next("roots/list"), NO_ROOTS);
                peer.answer(peer.next("elicitation/create"), ADA);
                call.response();
                assertThat(refusal.get()).hasMessageContaining("This question was not asked");
            }
        }

        @Test
        void oneQuestionIsAskedAsItsShortFormIs() throws Exception {
            try (McpServer server =
                            asking(
                                            (none, call) ->
                                                    call.ask(name().as("n")).orElseThrow().name()
                                                            + call.ask(Question.sample("Greet", 50))
                                                                    .text()
                                                            + call.ask(Question.roots()))
                                    .build();
                    Peer peer = peer(server)) {
                Pending call = peer.startTool("t", "{}");
                peer.answer(peer.next("elicitation/create"), ADA);
                peer.answer(peer.next("sampling/createMessage"), HI);
                peer.answer(peer.next("roots/list"), NO_ROOTS);
                assertThat(text(call.result())).isEqualTo("AdaHi[]");
            }
        }
    }

    @Nested
    class InASession {
        @ParameterizedTest
        @ValueSource(strings = {"0 1 2", "2 1 0", "1 2 0"})
        void allAreOpenAtOnceAndAnsweredInAnyOrder(String order) throws Exception {
            try (McpServer server = asking(AskingTest::greet).build();
                    Peer peer = peer(server)) {
                Pending call = peer.startTool("t", "{}");
                List<JsonObject> questions = threeQuestions(peer);
                List<String> answers = List.of(ADA, HI, NO_ROOTS);
                for (String index : order.split(" ")) {
                    int i = Integer.parseInt(index);
                    peer.answer(questions.get(i), answers.get(i));
                }
                assertThat(text(call.result())).isEqualTo("Hi Ada []");
                assertThat(peer.rest()).isEmpty();
            }
        }

        @Test
        void oneThatFailsWithdrawsTheOthers() throws Exception {
            AtomicReference<JsonRpcException> failure = new AtomicReference<>();
            Handler<NoInput, String> handler =
                    (none, call) -> {
                        try {
                            return greet(none, call);
                        } catch (JsonRpcException e) {
                            failure.set(e);
                            return "failed";
                        }
                    };
            try (McpServer server = asking(handler).build();
                    Peer peer = peer(server)) {
                Pending call = peer.startTool("t", "{}");
                List<JsonObject> questions = threeQuestions(peer);
                peer.answer(questions.get(0), ADA);
                refuse(peer, questions.get(2));
                assertThat(peer.next("notifications/cancelled").object("params").get("requestId"))
                        .isEqualTo(questions.get(1).get("id"));
                assertThat(text(call.result())).isEqualTo("failed");
                assertThat(peer.rest()).isEmpty(); // an answered question is not withdrawn
                assertThat(failure.get().code()).isEqualTo(-1);
                assertThat(failure.get().getStackTrace())
                        .as("the stack of the caller")
                        .anyMatch(frame -> frame.getMethodName().equals("greet"));
            }
        }

        @Test
        void oneThatIsNotAnsweredInTimeWithdrawsTheOthers() throws Exception {
            ManualTimers timers = new ManualTimers();
            Handler<NoInput, String> handler =
                    (none, call) -> {
                        Question<?> form = name();
                        Question<?> roots = Question.roots(); // 30 s, the form 10 min
                        return call.ask(form, roots).to(form).toString();
                    };
            try (McpServer server =
                            McpServer.named("s", "1")
                                    .tool("t", "Tested", NoInput.class, String.class)
                                    .handle(handler)
                                    .build(timers);
                    Peer peer = peer(server)) {
                Pending call = peer.startTool("t", "{}");
                JsonObject form = peer.next("elicitation/create");
                JsonObject roots = peer.next("roots/list");
                timers.awaitTimers(3); // of the call and of both questions
                timers.advance(Duration.ofSeconds(30));
                List<JsonValue> withdrawn = new ArrayList<>();
                for (int i = 0; i < 2; i++) {
                    withdrawn.add(
                            peer.next("notifications/cancelled").object("params").get("requestId"));
                }
                assertThat(withdrawn).containsExactly(roots.get("id"), form.get("id"));
                assertThat(call.result().toJson()).contains("\"isError\":true", "roots/list");
            }
        }

        @Test
        void theEndOfTheCallWithdrawsAll() throws Exception {
            CountDownLatch interrupted = new CountDownLatch(1);
            Handler<NoInput, String> handler =
                    (none, call) -> {
                        try {
                            return greet(none, call);
                        } catch (InterruptedException e) {
                            interrupted.countDown();
                            throw e;
                        }
                    };
            try (McpServer server = asking(handler).build();
                    Peer peer = peer(server)) {
                Pending call = peer.startTool("t", "{}");
                List<JsonObject> questions = threeQuestions(peer);
                call.cancel();
                List<JsonValue> withdrawn = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    withdrawn.add(
                            peer.next("notifications/cancelled").object("params").get("requestId"));
                }
                assertThat(withdrawn)
                        .containsExactlyInAnyOrderElementsOf(
                                questions.stream().map(question -> question.get("id")).toList());
                assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
            }
        }

        @Test
        void whatOneNeedsIsCheckedBeforeAnyIsAsked() throws Exception {
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Handler<NoInput, String> handler =
                    (none, call) -> {
                        try {
                            return greet(none, call);
                        } catch (CapabilityException e) {
                            failure.set(e);
                            throw e;
                        }
                    };
            try (McpServer server = asking(handler).build();
                    Peer peer =
                            Peer.of(
                                    server,
                                    Revision.NEWEST_WITH_HANDSHAKE,
                                    "{\"elicitation\": {}, \"sampling\": {}}")) {
                assertThat(peer.callTool("t", "{}").toJson()).contains("\"isError\":true", "roots");
                assertThat(failure.get()).isInstanceOf(CapabilityException.class);
                assertThat(peer.rest()).isEmpty();
            }
        }

        @Test
        @Requirement("N26-ELIC-009")
        void anAnswerThatDoesNotFitFailsTheAsk() throws Exception {
            AtomicReference<InvalidAnswerException> failure = new AtomicReference<>();
            Handler<NoInput, String> handler =
                    (none, call) -> {
                        try {
                            return greet(none, call);
                        } catch (InvalidAnswerException e) {
                            failure.set(e);
                            return "";
                        }
                    };
            try (McpServer server = asking(handler).build();
                    Peer peer = peer(server)) {
                Pending call = peer.startTool("t", "{}");
                List<JsonObject> questions = threeQuestions(peer);
                peer.answer(
                        questions.get(0), "{\"action\": \"accept\", \"content\": {\"name\": 7}}");
                peer.answer(questions.get(1), HI);
                peer.answer(questions.get(2), NO_ROOTS);
                call.response();
                assertThat(failure.get().content()).isEqualTo(json("{\"name\": 7}"));
            }
        }
    }

    @Nested
    class Interceptors {
        private final List<String> seen = new CopyOnWriteArrayList<>();

        private McpServer server(Interceptor interceptor) {
            return asking(AskingTest::greet).intercept(interceptor).build();
        }

        @Test
        void eachQuestionIsACallOfItsOwn() throws Exception {
            try (McpServer server =
                            server(
                                    (method, next) -> {
                                        Outcome<?> outcome = next.proceed(method);
                                        seen.add(method.name() + " " + method.isInbound());
                                        return outcome;
                                    });
                    Peer peer = peer(server)) {
                Pending call = peer.startTool("t", "{}");
                List<JsonObject> questions = threeQuestions(peer);
                peer.answer(questions.get(0), ADA);
                peer.answer(questions.get(1), HI);
                peer.answer(questions.get(2), NO_ROOTS);
                assertThat(text(call.result())).isEqualTo("Hi Ada []");
                assertThat(seen)
                        .containsExactlyInAnyOrder(
                                "roots/list false",
                                "sampling/createMessage false",
                                "elicitation/create false",
                                "tools/call true");
            }
        }

        @Test
        void oneMayAnswerInPlaceOfTheClient() throws Exception {
            try (McpServer server =
                            server(
                                    (method, next) ->
                                            method.name().equals("sampling/createMessage")
                                                    ? Outcome.complete(
                                                            CreateMessageResult.text("own", "Ho"))
                                                    : next.proceed(method));
                    Peer peer = peer(server)) {
                Pending call = peer.startTool("t", "{}");
                peer.answer(peer.next("elicitation/create"), ADA);
                peer.answer(peer.next("roots/list"), NO_ROOTS);
                assertThat(text(call.result())).isEqualTo("Ho Ada []");
                assertThat(peer.rest()).isEmpty();
            }
        }

        @Test
        void oneMayRefuseBeforeAnythingIsAsked() throws Exception {
            try (McpServer server =
                            server(
                                    (method, next) -> {
                                        if (method.name().equals("roots/list")) {
                                            throw new JsonRpcException(-7, "not here");
                                        }
                                        return next.proceed(method);
                                    });
                    Peer peer = peer(server)) {
                JsonObject error = peer.error("tools/call", "{\"name\": \"t\"}");
                assertThat(code(error)).isEqualTo(-7);
                assertThat(peer.rest()).isEmpty();
            }
        }

        /** Checks that of three questions that failed together two still have no answer. */
        @Test
        void whatReplacesTheFailureOfOneDoesNotAnswerTheOthers() throws Exception {
            try (McpServer server =
                            server(
                                    (method, next) -> {
                                        try {
                                            return next.proceed(method);
                                        } catch (JsonRpcException e) {
                                            if (method.name().equals("sampling/createMessage")) {
                                                return Outcome.complete(
                                                        CreateMessageResult.text("own", "Ho"));
                                            }
                                            throw e;
                                        }
                                    });
                    Peer peer = peer(server)) {
                Pending call = peer.startTool("t", "{}");
                refuse(peer, threeQuestions(peer).get(1));
                assertRefused(call.result(), "sampling/createMessage");
            }
        }

        @Test
        void oneMayAskOnceMore() throws Exception {
            AtomicInteger tries = new AtomicInteger();
            try (McpServer server =
                            server(
                                    (method, next) -> {
                                        try {
                                            return next.proceed(method);
                                        } catch (JsonRpcException e) {
                                            if (method.name().equals("elicitation/create")
                                                    && tries.incrementAndGet() == 1) {
                                                return next.proceed(method);
                                            }
                                            throw e;
                                        }
                                    });
                    Peer peer = peer(server)) {
                Pending call = peer.startTool("t", "{}");
                refuse(peer, threeQuestions(peer).get(0));
                List<JsonObject> again = threeQuestions(peer);
                peer.answer(again.get(0), ADA);
                peer.answer(again.get(1), HI);
                peer.answer(again.get(2), NO_ROOTS);
                assertThat(text(call.result())).isEqualTo("Hi Ada []");
            }
        }
    }

    @Nested
    class InATask {
        private String start(Peer peer) throws Exception {
            return "{\"taskId\": \"%s\"}"
                    .formatted(
                            peer.call("tools/call", "{\"name\": \"t\", \"task\": {}}")
                                    .object("task")
                                    .string("taskId"));
        }

        /** In a session its open questions are sent one after the other. */
        @Test
        void allAreOpenAndTheTaskWaitsForTheLast() throws Exception {
            try (McpServer server = asking(AskingTest::greet).build();
                    Peer peer = peer(server)) {
                String id = start(peer);
                peer.answer(peer.next("elicitation/create"), ADA);
                peer.answer(peer.next("sampling/createMessage"), HI);
                JsonObject last = peer.next("roots/list");
                assertThat(peer.call("tasks/get", id).string("status")).isEqualTo("input_required");
                peer.answer(last, NO_ROOTS);
                assertThat(text(peer.call("tasks/result", id))).isEqualTo("Hi Ada []");
                assertThat(peer.rest()).noneMatch(message -> message.has("id"));
            }
        }

        @Test
        void oneThatFailsWithdrawsTheOthersAndFailsTheAsk() throws Exception {
            try (McpServer server = asking(AskingTest::greet).build();
                    Peer peer = peer(server)) {
                String id = start(peer);
                peer.answer(peer.next("elicitation/create"), ADA);
                refuse(peer, peer.next("sampling/createMessage"));
                assertRefused(peer.call("tasks/result", id), "sampling/createMessage");
                assertWithdrawn(peer, peer.rest());
            }
        }

        /** A question that was on its way when another one failed is cancelled. */
        private void assertWithdrawn(Peer peer, List<JsonObject> rest) throws Exception {
            List<JsonObject> sent = new ArrayList<>(rest);
            for (JsonObject question : rest) {
                if (question.has("id")) {
                    while (sent.stream().noneMatch(later -> cancels(later, question))) {
                        sent.add(peer.next("notifications/cancelled"));
                    }
                }
            }
        }

        private static boolean cancels(JsonObject message, JsonObject question) {
            return message.string("method").equals("notifications/cancelled")
                    && question.get("id").equals(message.object("params").get("requestId"));
        }

        @Test
        void itsEndWithdrawsThem() throws Exception {
            try (McpServer server = asking(AskingTest::greet).build();
                    Peer peer = peer(server)) {
                String id = start(peer);
                JsonObject question = peer.next("elicitation/create");
                peer.call("tasks/cancel", id);
                assertThat(peer.next("notifications/cancelled").object("params").get("requestId"))
                        .isEqualTo(question.get("id"));
                assertThat(peer.rest()).noneMatch(message -> message.has("id"));
            }
        }

        @Test
        void aHandlerMayThrowItsQuestions() throws Exception {
            Handler<NoInput, String> handler =
                    (none, call) -> {
                        Retry retry =
                                call.retry()
                                        .orElseThrow(
                                                () ->
                                                        new InputRequiredException(
                                                                List.of(name().as("n")), null));
                        return retry.answers().get("n").object("content").string("name");
                    };
            try (McpServer server = asking(handler).build();
                    Peer peer = peer(server)) {
                String id = start(peer);
                peer.answer(peer.next("elicitation/create"), ADA);
                assertThat(text(peer.call("tasks/result", id))).isEqualTo("Ada");
            }
        }
    }

    @Nested
    class Thrown {
        private final List<Map<String, JsonObject>> answers = new CopyOnWriteArrayList<>();
        private final List<@Nullable JsonValue> states = new CopyOnWriteArrayList<>();

        private McpServer.Builder raw(Handler<Call, CallToolResult> handler) {
            return McpServer.named("s", "1")
                    .tool(new Tool("raw", JsonObject.of("type", "object")))
                    .handle((request, call) -> handler.handle(call, call));
        }

        private CallToolResult twice(Call call, Call same) {
            Retry retry = call.retry().orElse(null);
            if (retry == null) {
                throw new InputRequiredException(
                        List.of(name().as("a"), Question.roots().as("b")), JsonValue.of(1));
            }
            answers.add(retry.answers());
            states.add(retry.state());
            if (answers.size() == 1) {
                throw new InputRequiredException(
                        List.of(Question.sample("Greet", 50).as("c")), JsonValue.of(2));
            }
            return CallToolResult.text("done");
        }

        @Test
        void eachEntryHasTheAnswersOfItsRoundAndTheStateOfTheLast() throws Exception {
            try (McpServer server = raw(this::twice).build();
                    Peer peer = peer(server)) {
                Pending call = peer.startTool("raw", "{}");
                JsonObject form = peer.next("elicitation/create");
                peer.answer(peer.next("roots/list"), NO_ROOTS); // both are open
                peer.answer(form, ADA);
                peer.answer(peer.next("sampling/createMessage"), HI);
                assertThat(text(call.result())).isEqualTo("done");
                assertThat(answers)
                        .containsExactly(
                                Map.of("a", json(ADA), "b", json(NO_ROOTS)), Map.of("c", json(HI)));
                assertThat(states).containsExactly(JsonValue.of(1), JsonValue.of(2));
            }
        }

        @Test
        void interceptorsSeeItsQuestions() throws Exception {
            List<String> seen = new CopyOnWriteArrayList<>();
            try (McpServer server =
                            raw(this::twice)
                                    .intercept(
                                            (method, next) -> {
                                                seen.add(method.name());
                                                return method.name().equals("roots/list")
                                                        ? Outcome.complete(
                                                                new ListRootsResult(List.of()))
                                                        : next.proceed(method);
                                            })
                                    .build();
                    Peer peer = peer(server)) {
                Pending call = peer.startTool("raw", "{}");
                peer.answer(peer.next("elicitation/create"), ADA);
                peer.answer(peer.next("sampling/createMessage"), HI);
                call.response();
                assertThat(seen)
                        .containsExactly(
                                "tools/call",
                                "elicitation/create",
                                "roots/list",
                                "sampling/createMessage");
                assertThat(answers.getFirst()).containsEntry("b", json(NO_ROOTS));
            }
        }

        @Test
        void aHandlerIsEnteredAgainAtMostSixteenTimes() throws Exception {
            AtomicInteger entries = new AtomicInteger();
            try (McpServer server =
                            raw((call, same) -> {
                                        entries.incrementAndGet();
                                        throw new InputRequiredException(
                                                List.of(), JsonValue.of("again"));
                                    })
                                    .build();
                    Peer peer = peer(server)) {
                JsonObject error = peer.error("tools/call", "{\"name\": \"raw\"}");
                assertThat(code(error)).isEqualTo(-32603);
                assertThat(error.string("message")).contains("16 rounds");
                assertThat(entries).hasValue(17);
            }
        }

        @Test
        void whatTheClientDidNotDeclareFailsTheCall() throws Exception {
            try (McpServer server = raw(this::twice).build();
                    Peer peer =
                            Peer.of(
                                    server,
                                    Revision.NEWEST_WITH_HANDSHAKE,
                                    "{\"elicitation\": {}}")) {
                assertThat(peer.callTool("raw", "{}").toJson())
                        .contains("\"isError\":true", "roots");
                assertThat(peer.rest()).isEmpty();
            }
        }

        @Test
        void aRefusalOfTheClientFailsTheCall() throws Exception {
            try (McpServer server = raw(this::twice).build();
                    Peer peer = peer(server)) {
                Pending call = peer.startTool("raw", "{}");
                JsonObject form = peer.next("elicitation/create");
                refuse(peer, peer.next("roots/list"));
                assertThat(peer.next("notifications/cancelled").object("params").get("requestId"))
                        .isEqualTo(form.get("id"));
                assertRefused(call.result(), "roots/list");
            }
        }

        @Test
        void questionsHaveKeysAndSomethingIsThrown() {
            assertThatThrownBy(() -> new InputRequiredException(List.of(), null))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> new InputRequiredException(List.of(name()), null))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(
                            () ->
                                    new InputRequiredException(
                                            List.of(name().as("a"), Question.roots().as("a")),
                                            null))
                    .isInstanceOf(IllegalArgumentException.class);
        }

        @Test
        void promptsAndResourcesMayThrowToo() throws Exception {
            try (McpServer server =
                            McpServer.named("s", "1")
                                    .prompt("p", "Tested", NoInput.class)
                                    .handle((none, call) -> prompt(nameOf(call)))
                                    .resource("r://x", "r", String.class)
                                    .handle((uri, call) -> nameOf(call))
                                    .build();
                    Peer peer = peer(server)) {
                for (String[] request :
                        new String[][] {
                            {"prompts/get", "{\"name\": \"p\"}"},
                            {"resources/read", "{\"uri\": \"r://x\"}"}
                        }) {
                    Pending call = peer.request(request[0], request[1]);
                    peer.answer(peer.next("elicitation/create"), ADA);
                    assertThat(call.result().toJson()).contains("Ada");
                }
            }
        }

        private static GetPromptResult prompt(String text) {
            return GetPromptResult.of(PromptMessage.user(text));
        }

        private static String nameOf(Call call) {
            ElicitRequest form =
                    new ElicitFormRequest(
                            "Name?",
                            json(
                                    """
                                    {"type": "object", "properties": {"name": {"type": "string"}}}\
                                    """));
            return call.retry()
                    .orElseThrow(
                            () ->
                                    new InputRequiredException(
                                            List.of(Question.elicit(form).as("n")), null))
                    .answers()
                    .get("n")
                    .object("content")
                    .string("name");
        }
    }
}
