package dev.fairlead.client;

import static dev.fairlead.client.FakeServer.ALL_CAPABILITIES;
import static dev.fairlead.client.FakeServer.json;
import static dev.fairlead.client.FakeServer.withoutToken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;
import dev.fairlead.protocol.mrtr.InputRequiredResult;
import dev.fairlead.protocol.prompts.GetPromptRequest;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Calls of revision 2026-07-28 that take several rounds. */
final class RoundsTest {
    private static final String FORM =
            """
            {"method": "elicitation/create", "params": {"message": "Sure?", "requestedSchema":
             {"type": "object", "properties": {"ok": {"type": "boolean"}}}}}\
            """;

    private static final String SAMPLE =
            """
            {"method": "sampling/createMessage", "params": {"maxTokens": 9, "messages":
             [{"role": "user", "content": {"type": "text", "text": "Hi"}}]}}\
            """;

    private static final List<String> KEYS = List.of("h", "c", "f", "a", "g", "b", "e", "d");

    private final FakeServer server = new FakeServer().keep("server/discover");
    private final ManualTimers timers = new ManualTimers();

    RoundsTest() {
        server.on(
                "server/discover",
                """
                {"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": %s}\
                """
                        .formatted(ALL_CAPABILITIES));
    }

    private static McpClient.Builder client() {
        return McpClient.named("desk", "1")
                .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                .onElicitForm(form -> Answer.accept(JsonObject.of("ok", true)));
    }

    @CheckReturnValue
    private Background<CallToolResult> call(McpClient client) {
        return Background.call(() -> client.callTool("pay", JsonObject.of("sum", 5)));
    }

    private static String required(String requests, String state) {
        return "{\"resultType\": \"input_required\""
                + (requests.isEmpty() ? "" : ", \"inputRequests\": {" + requests + "}")
                + (state.isEmpty() ? "" : ", \"requestState\": \"" + state + "\"")
                + "}";
    }

    private void complete(JsonObject request) {
        server.answer(
                request,
                "{\"resultType\": \"complete\", \"content\": [{\"type\": \"text\", \"text\":"
                        + " \"paid\"}]}");
    }

    @Test
    @Requirement({
        "N26-MRTR-007",
        "N26-MRTR-008",
        "N26-MRTR-009",
        "N26-MRTR-010",
        "N26-ELIC-006",
        "N26-BASE-002"
    })
    void theRequestIsSentAgainWithTheAnswersAndTheState() throws Exception {
        try (McpClient client = client().connect(server, timers)) {
            Background<CallToolResult> paying = call(client);
            JsonObject first = server.next("tools/call");
            server.answer(first, required("\"a\": " + FORM, "s\\u00e9 \\\\ 1"));
            JsonObject second = server.next("tools/call");
            assertThat(second.get("id")).isNotEqualTo(first.get("id"));
            JsonObject params = second.object("params");
            assertThat(withoutToken(params.without("inputResponses", "requestState")))
                    .isEqualTo(withoutToken(first.object("params")));
            assertThat(params.get("requestState")).isEqualTo(JsonValue.of("sé \\ 1"));
            assertThat(params.object("inputResponses"))
                    .isEqualTo(
                            json("{\"a\": {\"action\": \"accept\", \"content\": {\"ok\": true}}}"));
            // the next round has only its own answers, and no state where there was none
            server.answer(second, required("\"b\": " + FORM, ""));
            JsonObject third = server.next("tools/call");
            assertThat(third.object("params").object("inputResponses").names())
                    .containsExactly("b");
            assertThat(third.object("params").has("requestState")).isFalse();
            complete(third);
            assertThat(paying.result().text()).isEqualTo("paid");
        }
    }

    @Test
    @Requirement("N26-MRTR-011")
    void stateOfOneCallStaysThere() throws Exception {
        try (McpClient client = client().connect(server, timers)) {
            Background<CallToolResult> one = call(client);
            JsonObject first = server.next("tools/call");
            Background<CallToolResult> other = call(client);
            JsonObject second = server.next("tools/call");
            server.answer(first, required("\"a\": " + FORM, "of-one"));
            JsonObject retry = server.next("tools/call");
            assertThat(retry.object("params").get("requestState"))
                    .isEqualTo(JsonValue.of("of-one"));
            server.answer(second, required("\"a\": " + FORM, "of-other"));
            JsonObject retried = server.next("tools/call");
            assertThat(retried.object("params").get("requestState"))
                    .isEqualTo(JsonValue.of("of-other"));
            complete(retry);
            complete(retried);
            one.result();
            other.result();
        }
    }

    @Test
    @Requirement("N26-MRTR-019")
    void entriesAreAnsweredTogether() throws Exception {
        CyclicBarrier together = new CyclicBarrier(2);
        McpClient.Builder builder =
                client().onElicitForm(
                                form -> {
                                    together.await(30, TimeUnit.SECONDS);
                                    return Answer.decline();
                                })
                        .onSample(
                                request -> {
                                    together.await(30, TimeUnit.SECONDS);
                                    return CreateMessageResult.text("model", "Hello");
                                })
                        .roots(Root.of(Path.of("/work")));
        try (McpClient client = builder.connect(server, timers)) {
            Background<CallToolResult> paying = call(client);
            server.answer(
                    server.next("tools/call"),
                    required(
                            "\"form\": "
                                    + FORM
                                    + ", \"model\": "
                                    + SAMPLE
                                    + ", \"where\": {\"method\": \"roots/list\"}",
                            ""));
            JsonObject retry = server.next("tools/call");
            JsonObject answers = retry.object("params").object("inputResponses");
            assertThat(answers.object("form")).isEqualTo(json("{\"action\": \"decline\"}"));
            assertThat(answers.object("model").get("model")).isEqualTo(JsonValue.of("model"));
            assertThat(answers.object("where").array("roots").elements()).hasSize(1);
            complete(retry);
            paying.result();
        }
    }

    @Test
    @Requirement("N26-MRTR-008")
    void answersAreInTheOrderOfTheQuestionsWhicheverIsGivenFirst() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        McpClient.Builder builder =
                client().onElicitForm(
                                form -> {
                                    answered.await();
                                    return Answer.decline();
                                })
                        .onSample(
                                request -> {
                                    answered.countDown();
                                    return CreateMessageResult.text("model", "Hello");
                                })
                        .roots(Root.of(Path.of("/work")));
        try (McpClient client = builder.connect(server, timers)) {
            Background<CallToolResult> paying = call(client);
            String questions =
                    KEYS.stream()
                            .map(key -> "\"%s\": %s".formatted(key, FORM))
                            .collect(Collectors.joining(", "));
            server.answer(
                    server.next("tools/call"), required(questions + ", \"last\": " + SAMPLE, ""));
            JsonObject retry = server.next("tools/call");
            assertThat(retry.object("params").object("inputResponses").names())
                    .startsWith(KEYS.toArray(String[]::new))
                    .endsWith("last");
            complete(retry);
            paying.result();
        }
    }

    static Stream<Arguments> handlersThatReturnNull() {
        String page =
                """
                {"method": "elicitation/create", "params": {"mode": "url", "elicitationId": "1", "message": "Pay",
                 "url": "https://bank.example/"}}\
                """;
        return Stream.of(
                Arguments.of(FORM, client().onElicitForm(form -> null), "the form handler"),
                Arguments.of(page, client().onElicitUrl(link -> null), "the handler of pages"),
                Arguments.of(SAMPLE, client().onSample(asked -> null), "the sampling handler"),
                Arguments.of(
                        "{\"method\": \"roots/list\"}",
                        client().onRoots(() -> null),
                        "the roots handler"));
    }

    @ParameterizedTest
    @MethodSource("handlersThatReturnNull")
    void aHandlerThatReturnsNullIsNamed(String question, McpClient.Builder builder, String handler)
            throws Exception {
        try (McpClient client = builder.connect(server, timers)) {
            Background<CallToolResult> paying = call(client);
            server.answer(server.next("tools/call"), required("\"a\": " + question, ""));
            assertThatThrownBy(paying::result)
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage(handler + " returned null");
        }
    }

    @Test
    @Requirement({"N26-MRTR-019", "N26-MRTR-022"})
    void aHandlerThatFailsEndsTheCallAndTheOthers() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        McpClient.Builder builder =
                client().onElicitForm(
                                form -> {
                                    asked.await();
                                    throw new IllegalStateException("the window was closed");
                                })
                        .onSample(
                                request -> {
                                    asked.countDown();
                                    try {
                                        new CountDownLatch(1).await();
                                    } catch (InterruptedException e) {
                                        interrupted.countDown();
                                    }
                                    return CreateMessageResult.text("model", "late");
                                });
        try (McpClient client = builder.connect(server, timers)) {
            Background<CallToolResult> paying = call(client);
            server.answer(
                    server.next("tools/call"),
                    required("\"form\": " + FORM + ", \"model\": " + SAMPLE, "s"));
            assertThatThrownBy(paying::result)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the window was closed");
            assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
            server.expectNothing(); // the retry is not sent
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCheckedExceptionOfAHandlerIsTheCauseOfTheEnd(boolean alone) throws Exception {
        IOException full = new IOException("the disk is full");
        McpClient.Builder builder =
                client().onElicitForm(
                                form -> {
                                    throw full;
                                })
                        .onSample(request -> CreateMessageResult.text("model", "text"));
        try (McpClient client = builder.connect(server, timers)) {
            Background<CallToolResult> paying = call(client);
            server.answer(
                    server.next("tools/call"),
                    required("\"form\": " + FORM + (alone ? "" : ", \"model\": " + SAMPLE), "s"));
            assertThatThrownBy(paying::result)
                    .isInstanceOf(HandlerException.class)
                    .hasMessage(
                            "The handler for elicitation/create failed: java.io.IOException: the"
                                    + " disk is full")
                    .hasRootCause(full);
            server.expectNothing();
        }
    }

    private static JsonRpcException tasksMissing() {
        JsonObject tasks =
                json(
                        """
                        {"requiredCapabilities": {"extensions":
                         {"io.modelcontextprotocol/tasks": {}}}}\
                        """);
        return new JsonRpcException(-32021, "expected by this test", tasks);
    }

    private static UrlElicitationRequiredException pageMissing() {
        return new UrlElicitationRequiredException(
                "expected by this test",
                List.of(new ElicitUrlRequest("Sign in", "https://a.example/1", "e-1")));
    }

    private static Stream<CallException> failuresOfOtherServers() {
        return Stream.of(
                new ConnectionException("expected by this test"),
                new SessionExpiredException("expected by this test"),
                new RequestTimeoutException("expected by this test"),
                new JsonRpcException(-32602, "expected by this test"),
                tasksMissing(),
                pageMissing());
    }

    @ParameterizedTest
    @MethodSource("failuresOfOtherServers")
    @Requirement("N26-MRTR-022")
    void aHandlerWhoseOwnRequestFailsEndsTheCallAndIsNotAskedAgain(CallException failure)
            throws Exception {
        AtomicInteger asked = new AtomicInteger();
        server.withHeaders();
        server.on(
                "server/discover",
                """
                {"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities":
                 {"tools": {}, "resources": {}, "extensions":
                  {"io.modelcontextprotocol/tasks": {}}}}\
                """);
        McpClient.Builder builder =
                client().revisions(Revision.V2024_11_05, Revision.V2026_07_28)
                        .onElicitForm(
                                form -> {
                                    asked.incrementAndGet();
                                    throw failure;
                                })
                        .onElicitUrl(link -> Answer.accept());
        try (McpClient client = builder.connect(server, timers)) {
            ClientRequests patient = client.withUrlElicitation(Duration.ofMinutes(1));
            Background<Object> reading = Background.call(() -> patient.readResource("a://b"));
            server.answer(server.next("resources/read"), required("\"a\": " + FORM, "s"));
            assertThatThrownBy(reading::result).isSameAs(failure);
            Background<Object> calling =
                    Background.call(() -> patient.callTool("pay", JsonObject.EMPTY));
            server.answer(server.next("tools/call"), required("\"a\": " + FORM, "s"));
            assertThatThrownBy(calling::result).isSameAs(failure);
            server.expectNothing();
        }
        assertThat(asked).hasValue(2);
        assertThat(server.connections).hasValue(1);
    }

    @Test
    @Requirement({"N26-MRTR-007", "N26-MRTR-018", "N26-BASE-020"})
    void aStateAloneIsSentBackAfterAWhileAndRoundsEnd() throws Exception {
        try (McpClient client = client().maxRounds(3).connect(server, timers)) {
            Background<CallToolResult> paying = call(client);
            for (int wait : List.of(50, 100, 250)) {
                JsonObject request = server.next("tools/call");
                timers.untilNextTimer(() -> server.answer(request, required("", "busy")));
                server.expectNothing();
                timers.advance(Duration.ofMillis(wait));
            }
            server.answer(server.next("tools/call"), required("", "busy"));
            assertThatThrownBy(paying::result)
                    .isInstanceOfSatisfying(
                            TooManyRoundsException.class, e -> assertThat(e.rounds()).isEqualTo(3));
        }
    }

    @ParameterizedTest
    @MethodSource("invalidResults")
    @Requirement({"N26-BASE-008", "N26-TASK-005", "N26-MRTR-022", "N26-SAMP-001", "N26-ROOT-001"})
    void invalidInputRequestsReachNoHandler(String result, Call call) throws Exception {
        AtomicInteger shown = new AtomicInteger();
        McpClient.Builder builder =
                client().onElicitForm(
                                form -> {
                                    shown.incrementAndGet();
                                    return Answer.decline();
                                });
        try (McpClient client = builder.connect(server, timers)) {
            Background<Object> paying = Background.call(() -> call.with(client));
            server.answer(server.next("tools/call"), result);
            assertThatThrownBy(paying::result).isInstanceOf(InvalidResultException.class);
            assertThat(shown).hasValue(0);
            server.expectNothing();
        }
    }

    private static Stream<Arguments> invalidResults() {
        return Stream.of(
                        "{\"resultType\": \"partial\", \"content\": []}",
                        "{\"resultType\": 7, \"content\": []}",
                        "{\"resultType\": \"input_required\"}",
                        "{\"resultType\": \"input_required\", \"inputRequests\": {}}",
                        "{\"resultType\": \"input_required\", \"inputRequests\": {\"a\": 7}}",
                        "{\"resultType\": \"input_required\", \"inputRequests\": {\"a\":"
                                + " {\"method\": \"tools/list\"}}}",
                        "{\"resultType\": \"input_required\", \"inputRequests\": {\"a\":"
                                + " {\"method\": \"roots/list\"}}}",
                        "{\"resultType\": \"input_required\", \"inputRequests\": {\"a\":"
                            + " {\"method\": \"elicitation/create\", \"params\": {\"mode\":"
                            + " \"url\", \"message\": \"m\", \"url\": \"https://a.example/\"}}}}",
                        "{\"resultType\": \"input_required\", \"inputRequests\": {\"a\":"
                                + " {\"method\": \"elicitation/create\", \"params\": {\"message\":"
                                + " \"m\"}}}}",
                        "{\"resultType\": \"task\", \"taskId\": \"t\", \"status\": \"working\","
                                + " \"createdAt\": \"2026-07-28T00:00:00Z\", \"lastUpdatedAt\":"
                                + " \"2026-07-28T00:00:00Z\", \"ttlMs\": null}")
                .flatMap(result -> calls().stream().map(call -> Arguments.of(result, call)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ", \"requestState\": \"s\""})
    void anInputRequestThatCannotBeReadIsNamed(String state) throws Exception {
        try (McpClient client = client().onRoots(List::of).connect(server, timers)) {
            Background<CallToolResult> paying = call(client);
            server.answer(
                    server.next("tools/call"),
                    """
                    {"resultType": "input_required", "inputRequests": {"a": {"method": "roots/list"}, "b": null}%s}\
                    """
                            .formatted(state));
            assertThatThrownBy(paying::result)
                    .isInstanceOf(InvalidResultException.class)
                    .hasMessage(
                            "The result of tools/call is invalid: inputRequests.b must be an"
                                    + " object but was null");
            server.expectNothing();
        }
    }

    @Test
    void onlyCallsPromptsAndResourcesHaveRounds() throws Exception {
        try (McpClient client = client().connect(server, timers)) {
            Background<Object> listing = Background.call(client::tools);
            server.answer(server.next("tools/list"), required("\"a\": " + FORM, ""));
            assertThatThrownBy(listing::result).isInstanceOf(InvalidResultException.class);
        }
    }

    @Test
    void moreThan32EntriesAreRefused() throws Exception {
        AtomicInteger shown = new AtomicInteger();
        McpClient.Builder builder =
                client().onElicitForm(
                                form -> {
                                    shown.incrementAndGet();
                                    return Answer.decline();
                                });
        try (McpClient client = builder.connect(server, timers)) {
            Background<CallToolResult> paying = call(client);
            server.answer(server.next("tools/call"), required(forms(33), ""));
            assertThatThrownBy(paying::result)
                    .isInstanceOf(InvalidResultException.class)
                    .hasMessageContaining("32 things");
            assertThat(shown).hasValue(0);

            Background<CallToolResult> again = call(client);
            server.answer(server.next("tools/call"), required(forms(32), ""));
            complete(server.next("tools/call"));
            again.result();
            assertThat(shown).hasValue(32);
        }
    }

    private static String forms(int count) {
        List<String> forms = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            forms.add("\"q" + i + "\": " + FORM);
        }
        return String.join(", ", forms);
    }

    @Test
    @Requirement({"N26-PROG-001", "N26-PROG-004"})
    void progressRisesOverTheRounds() throws Exception {
        List<Double> seen = new ArrayList<>();
        try (McpClient client = client().connect(server, timers)) {
            Background<CallToolResult> paying =
                    Background.call(
                            () ->
                                    client.withProgress(progress -> seen.add(progress.progress()))
                                            .callTool("pay", JsonObject.EMPTY));
            JsonObject first = server.next("tools/call");
            report(first, 1);
            report(first, 2);
            server.answer(first, required("\"a\": " + FORM, ""));
            JsonObject second = server.next("tools/call");
            assertThat(token(second)).isNotEqualTo(token(first));
            report(second, 1);
            report(second, 3);
            complete(second);
            paying.result();
        }
        assertThat(seen).containsExactly(1.0, 2.0, 3.0, 5.0);
    }

    private static JsonValue token(JsonObject request) {
        JsonValue token = request.object("params").object("_meta").get("progressToken");
        assertThat(token).isNotNull();
        return token;
    }

    private void report(JsonObject request, int progress) {
        server.notifyClient(
                "notifications/progress",
                "{\"progressToken\": %s, \"progress\": %s}".formatted(token(request), progress));
    }

    @Test
    @Requirement({"N26-MRTR-007", "N26-MRTR-008"})
    void roundsByHandGiveTheirQuestionsAndAskNoHandler() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        McpClient.Builder builder =
                client().onElicitForm(
                                form -> {
                                    asked.incrementAndGet();
                                    return Answer.cancel();
                                });
        CallToolRequest pay = new CallToolRequest("pay", JsonObject.of("sum", 5));
        try (McpClient client = builder.connect(server, timers)) {
            Background<Outcome<CallToolResult>> first =
                    Background.call(() -> client.firstRound(pay));
            JsonObject sent = server.next("tools/call");
            server.answer(sent, required("\"a\": " + FORM, "s1"));
            InputRequiredResult input =
                    ((Outcome.InputRequired<CallToolResult>) first.result()).input();
            assertThat(input.requestState()).isEqualTo("s1");
            assertThat(input.inputRequests()).containsOnlyKeys("a");

            JsonObject answer = JsonObject.of("action", "decline");
            Background<Outcome<CallToolResult>> next =
                    Background.call(() -> client.nextRound(pay, Map.of("a", answer), "s1"));
            JsonObject retryRequest = server.next("tools/call");
            JsonObject retry = retryRequest.object("params");
            assertThat(withoutToken(retry.without("inputResponses", "requestState")))
                    .isEqualTo(withoutToken(sent.object("params")));
            assertThat(retry.object("inputResponses")).isEqualTo(JsonObject.of("a", answer));
            assertThat(retry.get("requestState")).isEqualTo(JsonValue.of("s1"));
            complete(retryRequest);
            assertThat(next.result())
                    .isInstanceOfSatisfying(
                            Outcome.Complete.class,
                            done ->
                                    assertThat(((CallToolResult) done.result()).text())
                                            .isEqualTo("paid"));
            assertThat(asked).hasValue(0);
        }
    }

    @Test
    @Requirement("N26-MRTR-008")
    void roundsByHandKeepTheOrderOfTheirAnswers() throws Exception {
        Map<String, JsonObject> answers = new LinkedHashMap<>();
        KEYS.forEach(key -> answers.put(key, JsonObject.of("action", "decline")));
        CallToolRequest pay = new CallToolRequest("pay", JsonObject.of("sum", 5));
        try (McpClient client = client().connect(server, timers)) {
            Background<Outcome<CallToolResult>> next =
                    Background.call(() -> client.nextRound(pay, answers, "s1"));
            JsonObject retry = server.next("tools/call");
            assertThat(retry.object("params").object("inputResponses").names())
                    .containsExactlyElementsOf(KEYS);
            complete(retry);
            next.result();
        }
    }

    @Test
    void roundsByHandRefuseWhatThisClientDidNotDeclare() throws Exception {
        try (McpClient client = client().connect(server, timers)) {
            GetPromptRequest prompt = new GetPromptRequest("p", Map.of());
            for (String input :
                    List.of(
                            required("\"a\": " + SAMPLE, ""),
                            required("", ""),
                            required("", "s"))) {
                Background<Outcome<GetPromptResult>> round =
                        Background.call(() -> client.firstRound(prompt));
                server.answer(server.next("prompts/get"), input);
                if (input.contains("requestState")) {
                    assertThat(round.result()).isInstanceOf(Outcome.InputRequired.class);
                } else {
                    assertThatThrownBy(round::result).isInstanceOf(InvalidResultException.class);
                }
            }
        }
    }

    @Test
    @Requirement({"N26-PROG-001", "N26-PROG-004"})
    void progressOfARawRequestRisesOverTheRounds() throws Exception {
        List<Double> seen = new ArrayList<>();
        try (McpClient client = client().connect(server, timers)) {
            Background<JsonObject> paying =
                    Background.call(
                            () ->
                                    client.withProgress(progress -> seen.add(progress.progress()))
                                            .request("tools/call", JsonObject.of("name", "pay")));
            JsonObject first = server.next("tools/call");
            report(first, 2);
            server.answer(first, required("\"a\": " + FORM, ""));
            JsonObject second = server.next("tools/call");
            report(second, 1);
            complete(second);
            paying.result();
        }
        assertThat(seen).containsExactly(2.0, 3.0);
    }

    /** How a test calls the tool. */
    private interface Call {
        Object with(ClientRequests client) throws InterruptedException;
    }

    private static List<Call> calls() {
        return List.of(
                client -> client.callTool("pay", JsonObject.EMPTY),
                client -> client.request("tools/call", JsonObject.of("name", "pay")));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void theMaximumCountsAllRoundsWithoutTheTimeOfThePerson(Call call) throws Exception {
        McpClient.Builder slowPerson =
                client().onElicitForm(
                                form -> {
                                    timers.advance(Duration.ofHours(1));
                                    return Answer.decline();
                                });
        try (McpClient client = slowPerson.connect(server, timers)) {
            Duration limit = Duration.ofSeconds(15);
            Background<Object> paying =
                    Background.call(() -> call.with(client.withTimeout(limit, limit)));
            JsonObject first = server.next("tools/call");
            timers.awaitTimers(1);
            timers.advance(Duration.ofSeconds(10));
            server.answer(first, required("\"a\": " + FORM, ""));
            server.next("tools/call");
            timers.awaitTimers(1);
            timers.advance(Duration.ofMillis(4_999));
            assertThat(timers.waiting()).isPositive();
            timers.advance(Duration.ofMillis(1));
            assertThatThrownBy(paying::result).isInstanceOf(RequestTimeoutException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("calls")
    void theMaximumCountsTheWaitsBetweenRounds(Call call) throws Exception {
        try (McpClient client = client().connect(server, timers)) {
            Duration limit = Duration.ofMillis(360);
            Background<Object> paying =
                    Background.call(() -> call.with(client.withTimeout(limit, limit)));
            for (int wait : List.of(50, 100)) {
                JsonObject request = server.next("tools/call");
                timers.untilNextTimer(() -> server.answer(request, required("", "busy")));
                timers.advance(Duration.ofMillis(wait));
            }
            server.answer(server.next("tools/call"), required("", "busy")); // 250 would follow
            assertThatThrownBy(paying::result)
                    .isInstanceOf(RequestTimeoutException.class)
                    .hasMessageContaining("tools/call: no answer within 360 ms");
        }
    }

    @ParameterizedTest
    @MethodSource("calls")
    void tenRoundsAreAllowedByDefault(Call call) throws Exception {
        try (McpClient client = client().connect(server, timers)) {
            Background<Object> paying = Background.call(() -> call.with(client));
            for (int i = 0; i <= 10; i++) {
                server.answer(server.next("tools/call"), required("\"a\": " + FORM, ""));
            }
            assertThatThrownBy(paying::result)
                    .isInstanceOfSatisfying(
                            TooManyRoundsException.class,
                            e -> assertThat(e.rounds()).isEqualTo(10));
            server.expectNothing();
        }
    }

    @Test
    void anInterruptBetweenTwoRoundsEndsTheCall() throws Exception {
        try (McpClient client = client().connect(server, timers)) {
            Background<CallToolResult> paying = call(client);
            JsonObject request = server.next("tools/call");
            timers.untilNextTimer(() -> server.answer(request, required("", "busy")));
            paying.interrupt();
            assertThatThrownBy(paying::result).isInstanceOf(InterruptedException.class);
            timers.advance(Duration.ofMinutes(1));
            server.expectNothing(); // no retry, and no cancellation of an answered request
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void anInterruptWhileAQuestionIsOpenInterruptsItsHandlerAndEndsTheCall(int questions)
            throws Exception {
        CountDownLatch asked = new CountDownLatch(questions);
        CountDownLatch interrupted = new CountDownLatch(questions);
        McpClient.Builder builder =
                client().onElicitForm(
                                form -> {
                                    asked.countDown();
                                    try {
                                        new CountDownLatch(1).await();
                                    } catch (InterruptedException e) {
                                        interrupted.countDown();
                                        throw e;
                                    }
                                    return Answer.decline();
                                });
        try (McpClient client = builder.connect(server, timers)) {
            Background<CallToolResult> paying = call(client);
            server.answer(server.next("tools/call"), required(forms(questions), "s"));
            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
            paying.interrupt();
            assertThatThrownBy(paying::result).isInstanceOf(InterruptedException.class);
            assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
            server.expectNothing();
        }
    }

    @Test
    @Requirement("N26-CANC-001")
    void anAnswerInSpiteOfAnInterruptIsNotSent() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        McpClient.Builder builder =
                client().onElicitForm(
                                form -> {
                                    asked.countDown();
                                    try {
                                        new CountDownLatch(1).await();
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                    return Answer.cancel();
                                });
        try (McpClient client = builder.connect(server, timers)) {
            Background<CallToolResult> paying = call(client);
            server.answer(server.next("tools/call"), required("\"a\": " + FORM, "s"));
            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
            paying.interrupt();
            assertThatThrownBy(paying::result).isInstanceOf(InterruptedException.class);
            server.expectNothing(); // neither another round nor a cancellation
        }
    }

    @Test
    @Requirement({"N26-BASE-005", "N26-STDIO-003"})
    void aRequestOfTheServerIsDroppedWithAWarning() throws Exception {
        server.on("tools/list", "{\"tools\": []}");
        try (Logged log = new Logged("dev.fairlead.client.link.LinkChannel", Level.WARNING);
                McpClient client = client().connect(server, timers)) {
            server.ask(7, "roots/list", "{}");
            client.tools();
            server.expectNothing();
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("WARNING")
                    .contains("roots/list");
        }
    }
}
