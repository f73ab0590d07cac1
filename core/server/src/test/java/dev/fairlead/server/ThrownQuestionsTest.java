package dev.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;
import dev.fairlead.protocol.engine.Incident;
import dev.fairlead.protocol.mrtr.InputRequiredSignal;
import dev.fairlead.protocol.roots.ListRootsResult;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.InputRequiredException;
import dev.fairlead.server.handler.Question;
import dev.fairlead.server.handler.Retry;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;

/** Interceptors around questions and pages that a handler throws. */
class ThrownQuestionsTest {
    record Name(String name) {}

    private static final String ALL =
            "{\"elicitation\": {\"form\": {}, \"url\": {}}, \"sampling\": {}, \"roots\": {}}";
    private static final String ADA = "{\"action\": \"accept\", \"content\": {\"name\": \"Ada\"}}";

    private final List<String> seen = new CopyOnWriteArrayList<>();

    /** Notes each method with its outcome, and continues as another interceptor does. */
    private Interceptor noting(Interceptor inner) {
        return new Interceptor() {
            @Override
            public Outcome<?> intercept(MethodCall method, Next next) throws Exception {
                try {
                    Outcome<?> outcome = inner.intercept(method, next);
                    seen.add(method.name() + " " + outcome.getClass().getSimpleName());
                    return outcome;
                } catch (InputRequiredSignal signal) {
                    seen.add(method.name() + " asked");
                    throw signal;
                }
            }

            @Override
            public Outcome<?> interceptRun(MethodCall method, Next next) throws Exception {
                Outcome<?> outcome = next.proceed(method);
                seen.add("run " + outcome.getClass().getSimpleName());
                return outcome;
            }
        };
    }

    private static Outcome<?> proceed(MethodCall method, Interceptor.Next next) throws Exception {
        return next.proceed(method);
    }

    private static Outcome<?> rootsInPlace(MethodCall method, Interceptor.Next next)
            throws Exception {
        return method.name().equals("roots/list")
                ? Outcome.complete(new ListRootsResult(List.of()))
                : next.proceed(method);
    }

    private static CallToolResult twice(Call call) {
        Retry retry = call.retry().orElse(null);
        if (retry == null) {
            throw new InputRequiredException(
                    List.of(
                            Question.elicit("Name?", Name.class).as("name"),
                            Question.roots().as("roots")),
                    JsonValue.of("one"));
        }
        if (JsonValue.of("one").equals(retry.state())) {
            throw new InputRequiredException(
                    List.of(Question.sample("Greet", 50).as("greeting")),
                    JsonValue.of(
                            "two, after " + retry.answers().keySet().stream().sorted().toList()));
        }
        return CallToolResult.text(retry.state() + ": " + retry.answers().keySet());
    }

    private McpServer.Builder server(boolean held, Interceptor interceptor) {
        McpServer.Builder builder =
                McpServer.named("thrown", "1")
                        .revisions(Revision.V2025_11_25, Revision.V2026_07_28)
                        .intercept(noting(interceptor));
        var tool = builder.tool(new Tool("t", JsonObject.of("type", "object")));
        if (held) {
            tool.holdsWhileAsking();
        }
        return tool.handle((request, call) -> twice(call));
    }

    private static String params(String members) {
        return """
        {"name": "t", "arguments": {}%s, "_meta": {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": %s}}\
        """
                .formatted(members, ALL);
    }

    private static JsonObject begin(Peer peer) throws Exception {
        return peer.call("tools/call", params(""));
    }

    private static String answering(JsonObject asked, String responses) {
        return params(
                ", \"inputResponses\": {%s}, \"requestState\": \"%s\""
                        .formatted(responses, asked.string("requestState")));
    }

    private static JsonObject retry(Peer peer, JsonObject asked, String responses)
            throws Exception {
        return peer.call("tools/call", answering(asked, responses));
    }

    private static final String HI =
            "\"greeting\": {\"role\": \"assistant\", \"model\": \"m\","
                    + " \"content\": {\"type\": \"text\", \"text\": \"Hi\"}}";

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachRoundIsAnOutcomeAndEachQuestionOfAHeldCallARequest(boolean held) throws Exception {
        try (McpServer server = server(held, ThrownQuestionsTest::proceed).build();
                Peer peer = Peer.raw(server)) {
            JsonObject asked = begin(peer);
            JsonObject again =
                    retry(peer, asked, "\"name\": " + ADA + ", \"roots\": {\"roots\": []}");
            assertThat(Peer.text(retry(peer, again, HI)))
                    .isEqualTo("\"two, after [name, roots]\": [greeting]");
        }
        assertThat(seen)
                .filteredOn(line -> line.startsWith("tools/call"))
                .containsExactly(
                        "tools/call InputRequired",
                        "tools/call InputRequired",
                        "tools/call Complete");
        List<String> answers =
                List.of(
                        "roots/list Complete",
                        "elicitation/create Complete",
                        "sampling/createMessage Complete");
        assertThat(seen)
                .filteredOn(line -> !line.startsWith("tools/call") && !line.endsWith("asked"))
                .isEqualTo(held ? answers : List.of());
    }

    /** A tool that asks for a name and returns the answer as JSON. */
    private static McpServer asksForAName(Interceptor interceptor) {
        return McpServer.named("thrown", "1")
                .revisions(Revision.V2026_07_28)
                .intercept(interceptor)
                .tool(new Tool("t", JsonObject.of("type", "object")))
                .handle(
                        (request, call) -> {
                            Retry retry = call.retry().orElse(null);
                            return retry == null
                                    ? twice(call)
                                    : CallToolResult.text(retry.answers().get("name").toJson());
                        })
                .build();
    }

    @Test
    void anAnswerThatNoInterceptorChangesIsAsTheClientWroteIt() throws Exception {
        try (McpServer server = asksForAName(ThrownQuestionsTest::proceed);
                Peer peer = Peer.raw(server)) {
            String more = "{\"action\":\"decline\",\"unknown\":1}";
            assertThat(Peer.text(retry(peer, begin(peer), "\"name\": " + more))).isEqualTo(more);
        }
    }

    @Test
    void interceptorsSeeQuestionsLeaveAndNoAnswers() throws Exception {
        try (McpServer server = server(false, ThrownQuestionsTest::proceed).build();
                Peer peer = Peer.raw(server)) {
            JsonObject asked = begin(peer);
            assertThat(seen)
                    .containsExactly(
                            "roots/list asked",
                            "elicitation/create asked",
                            "tools/call InputRequired");
            seen.clear();
            JsonObject again = retry(peer, asked, "\"name\": " + ADA);
            assertThat(seen)
                    .containsExactly("sampling/createMessage asked", "tools/call InputRequired");
            seen.clear();
            assertThat(Peer.text(retry(peer, again, HI)))
                    .isEqualTo("\"two, after [name]\": [greeting]");
            assertThat(seen).containsExactly("tools/call Complete");
        }
    }

    @Test
    void anInterceptorCannotAnswerInPlaceOfTheClient() throws Exception {
        try (McpServer server = server(false, ThrownQuestionsTest::rootsInPlace).build();
                Peer peer = Peer.raw(server);
                Logged logged = new Logged(Incident.class.getName(), Level.SEVERE)) {
            assertThat(begin(peer).get("isError")).isEqualTo(JsonValue.of(true));
            assertThat(logged.lines()).singleElement().asString().contains("The tool t failed");
        }
    }

    @Test
    void pagesPassInterceptorsToo() throws Exception {
        McpServer.Builder builder =
                McpServer.named("thrown", "1")
                        .revisions(Revision.V2026_07_28)
                        .intercept(noting(ThrownQuestionsTest::proceed))
                        .tool(new Tool("t", JsonObject.of("type", "object")))
                        .handle(
                                (request, call) -> {
                                    throw new UrlElicitationRequiredException(
                                            List.of(
                                                    new ElicitUrlRequest(
                                                            "Log in", "https://e.example/", "id")));
                                });
        try (McpServer server = builder.build();
                Peer peer = Peer.raw(server)) {
            assertThat(begin(peer).has("inputRequests")).isTrue();
            assertThat(seen)
                    .containsExactly("elicitation/create asked", "tools/call InputRequired");
        }
    }

    @Test
    void anInterceptorChangesAQuestion() throws Exception {
        Interceptor shorter =
                (method, next) ->
                        next.proceed(
                                method.params() instanceof CreateMessageRequest request
                                        ? method.withParams(request.withSystemPrompt("Be brief"))
                                        : method);
        try (McpServer server = server(false, shorter).build();
                Peer peer = Peer.raw(server)) {
            JsonObject again =
                    retry(peer, begin(peer), "\"name\": " + ADA + ", \"roots\": {\"roots\": []}");
            assertThat(
                            again.object("inputRequests")
                                    .object("greeting")
                                    .object("params")
                                    .string("systemPrompt"))
                    .isEqualTo("Be brief");
        }
    }

    @Test
    void anInterceptorThatRefusesAQuestionFailsTheCall() throws Exception {
        Interceptor refusing =
                (method, next) -> {
                    if (method.name().equals("roots/list")) {
                        throw new JsonRpcException(-32050, "no roots");
                    }
                    return next.proceed(method);
                };
        try (McpServer server = server(false, refusing).build();
                Peer peer = Peer.raw(server)) {
            assertThat(Peer.code(peer.error("tools/call", params("")))).isEqualTo(-32050);
        }
        assertThat(seen).isEmpty();
    }

    @Test
    void aHandlerThatAnInterceptorCallsAgainFindsItsAnswers() throws Exception {
        List<String> entries = new CopyOnWriteArrayList<>();
        Interceptor again =
                (method, next) -> {
                    try {
                        return next.proceed(method);
                    } catch (JsonRpcException e) {
                        return next.proceed(method);
                    }
                };
        McpServer.Builder builder =
                McpServer.named("thrown", "1")
                        .revisions(Revision.V2026_07_28)
                        .intercept(again)
                        .tool(new Tool("t", JsonObject.of("type", "object")))
                        .handle(
                                (request, call) -> {
                                    ask(call, "name");
                                    entries.add("with an answer");
                                    if (entries.size() == 1) {
                                        throw new JsonRpcException(-32050, "try again");
                                    }
                                    return CallToolResult.text("done");
                                });
        try (McpServer server = builder.build();
                Peer peer = Peer.raw(server)) {
            JsonObject asked = begin(peer);
            assertThat(Peer.text(retry(peer, asked, "\"name\": " + ADA))).isEqualTo("done");
        }
    }

    /** A server with a tool that asks before and after it throws a question. */
    private static McpServer mixed() {
        return McpServer.named("thrown", "1")
                .revisions(Revision.V2026_07_28)
                .tool(new Tool("t", JsonObject.of("type", "object")))
                .handle(
                        (request, call) -> {
                            ask(call, "before");
                            Retry retry = call.retry().orElse(null);
                            if (retry == null) {
                                throw new InputRequiredException(
                                        List.of(Question.elicit("?", Name.class).as("thrown")),
                                        JsonValue.of("mine"));
                            }
                            ask(call, "after");
                            return CallToolResult.text(retry.state() + " " + retry.answers());
                        })
                .build();
    }

    private static void ask(Call call, String key) throws InterruptedException {
        call.ask(Question.elicit(key + "?", Name.class).as(key)).orElseThrow();
    }

    @Test
    void aHandlerThatAlsoAsksKeepsItsStateAndTheAnswersToWhatItThrew() throws Exception {
        try (McpServer server = mixed();
                Peer peer = Peer.raw(server)) {
            JsonObject asked = begin(peer);
            for (String key : List.of("before", "thrown", "after")) {
                assertThat(asked.object("inputRequests").names()).containsExactly(key);
                asked = retry(peer, asked, "\"%s\": %s".formatted(key, ADA));
            }
            assertThat(Peer.text(asked))
                    .isEqualTo("\"mine\" {thrown=%s}".formatted(Peer.json(ADA).toJson()));
        }
    }

    @Test
    void inASessionTheQuestionsOfEachEntryAreRequestsOfOneCall() throws Exception {
        try (McpServer server = server(false, ThrownQuestionsTest::proceed).build();
                Peer peer = Peer.of(server, Revision.V2025_11_25, ALL)) {
            Pending call = peer.startTool("t", "{}");
            peer.answer(peer.next("elicitation/create"), ADA);
            peer.answer(peer.next("roots/list"), "{\"roots\": []}");
            peer.answer(peer.next("sampling/createMessage"), HI.substring(HI.indexOf('{')));
            assertThat(Peer.text(call.result()))
                    .isEqualTo("\"two, after [name, roots]\": [greeting]");
        }
        assertThat(seen)
                .containsExactly(
                        "roots/list Complete",
                        "elicitation/create Complete",
                        "sampling/createMessage Complete",
                        "tools/call Complete");
    }

    /** An answer that comes after the end must not enter the handler again. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theEndOfTheCallWithdrawsThemAndTheHandlerIsNotEnteredAgain(boolean asTask)
            throws Exception {
        List<Boolean> entries = new CopyOnWriteArrayList<>();
        McpServer.Builder builder =
                McpServer.named("thrown", "1")
                        .revisions(Revision.V2025_11_25)
                        .tool(new Tool("t", JsonObject.of("type", "object")))
                        .task(TaskSupport.OPTIONAL)
                        .handle(
                                (request, call) -> {
                                    entries.add(call.retry().isPresent());
                                    return twice(call);
                                });
        try (McpServer server = builder.build();
                Peer peer = Peer.of(server, Revision.V2025_11_25, ALL)) {
            Pending call = asTask ? null : peer.startTool("t", "{}");
            String task =
                    asTask
                            ? peer.call("tools/call", "{\"name\": \"t\", \"task\": {}}")
                                    .object("task")
                                    .string("taskId")
                            : "";
            JsonObject question = peer.next("elicitation/create");
            if (call == null) {
                peer.call("tasks/cancel", "{\"taskId\": \"%s\"}".formatted(task));
            } else {
                call.cancel();
            }
            peer.await(
                    message ->
                            message.has("params")
                                    && question.get("id")
                                            .equals(message.object("params").get("requestId")));
            peer.answer(question, ADA);
            assertThat(peer.call("ping", "{}")).isEqualTo(JsonObject.EMPTY);
        }
        assertThat(entries).containsExactly(false);
    }

    @Test
    void inATaskTheyAreRequestsOfOneRun() throws Exception {
        McpServer.Builder builder =
                McpServer.named("thrown", "1")
                        .revisions(Revision.V2025_11_25)
                        .intercept(noting(ThrownQuestionsTest::proceed))
                        .tool(new Tool("t", JsonObject.of("type", "object")))
                        .task(TaskSupport.OPTIONAL)
                        .handle((request, call) -> twice(call));
        try (McpServer server = builder.build();
                Peer peer = Peer.of(server, Revision.V2025_11_25, ALL)) {
            String task =
                    "{\"taskId\": \"%s\"}"
                            .formatted(
                                    peer.call("tools/call", "{\"name\": \"t\", \"task\": {}}")
                                            .object("task")
                                            .string("taskId"));
            peer.answer(peer.next("elicitation/create"), ADA);
            peer.answer(peer.next("roots/list"), "{\"roots\": []}");
            peer.answer(peer.next("sampling/createMessage"), HI.substring(HI.indexOf('{')));
            assertThat(Peer.text(peer.call("tasks/result", task)))
                    .isEqualTo("\"two, after [name, roots]\": [greeting]");
        }
        assertThat(seen)
                .contains(
                        "roots/list Complete",
                        "elicitation/create Complete",
                        "sampling/createMessage Complete",
                        "run Complete");
    }
}
