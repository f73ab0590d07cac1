package dev.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.call.ServerCall;
import dev.fairlead.server.handler.Answers;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.InputRequiredException;
import dev.fairlead.server.handler.Question;
import dev.fairlead.server.requeststate.RequestStates;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;

/** Handlers that ask a client of revision 2026-07-28: each starts again with the answers. */
class RoundsTest {
    record Nothing() {}

    record Name(String name) {}

    record Sure(boolean ok) {}

    private static final String ALL =
            "{\"elicitation\": {\"form\": {}, \"url\": {}}, \"sampling\": {}, \"roots\": {}}";

    private static McpServer.Builder server() {
        return McpServer.named("rounds", "1").revisions(Revision.V2025_11_25, Revision.V2026_07_28);
    }

    private static McpServer.Builder greeting() {
        return server().tool("greet", "Greets", Nothing.class, String.class)
                .handle(
                        (nothing, call) ->
                                "Hello, "
                                        + call.ask(
                                                        Question.elicit("Your name?", Name.class)
                                                                .as("user_name"))
                                                .orElseThrow()
                                                .name());
    }

    private static String params(String capabilities, String members) {
        return """
        {%s, "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                       "io.modelcontextprotocol/clientCapabilities": %s}}\
        """
                .formatted(members, capabilities);
    }

    private static String tool(String name) {
        return "\"name\": \"" + name + "\", \"arguments\": {}";
    }

    private static JsonObject begin(Peer peer, String tool) throws Exception {
        return peer.call("tools/call", params(ALL, tool(tool)));
    }

    private static String again(String tool, JsonObject asked, String responses) {
        return params(
                ALL,
                tool(tool)
                        + ", \"inputResponses\": "
                        + responses
                        + ", \"requestState\": \""
                        + asked.string("requestState")
                        + "\"");
    }

    private static JsonObject retry(Peer peer, String tool, JsonObject asked, String responses)
            throws Exception {
        return peer.call("tools/call", again(tool, asked, responses));
    }

    private static String name(String name) {
        return "{\"user_name\": {\"action\": \"accept\", \"content\": {\"name\": \""
                + name
                + "\"}}}";
    }

    @Nested
    class AskingInRounds {
        @Test
        @Requirement({"N26-MRTR-001", "N26-MRTR-003", "N26-MRTR-004", "N26-MRTR-005"})
        void theRequestIsAnsweredWithTheQuestionAndThenWithItsResult() throws Exception {
            try (McpServer server = greeting().build();
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = begin(peer, "greet");
                assertThat(asked.string("resultType")).isEqualTo("input_required");
                assertThat(asked.object("inputRequests"))
                        .isEqualTo(
                                Peer.json(
                                        """
                                        {"user_name": {"method": "elicitation/create", "params": {
                                           "mode": "form", "message": "Your name?",
                                           "requestedSchema": {"type": "object",
                                              "properties": {"name": {"type": "string"}}, "required": ["name"]}}}}\
                                        """));
                assertThat(asked.has("content") || asked.has("ttlMs")).isFalse();
                JsonObject result = retry(peer, "greet", asked, name("Ada"));
                assertThat(result.string("resultType")).isEqualTo("complete");
                assertThat(Peer.text(result)).isEqualTo("Hello, Ada");
            }
        }

        @Test
        @Requirement({"N26-MRTR-015", "N26-LIFE-001"})
        void anotherServerWithTheSameKeysContinuesTheCall() throws Exception {
            List<byte[]> keys = List.of("0123456789abcdef0123456789abcdef".getBytes());
            try (McpServer one = greeting().requestState(RequestState.keys(keys)).build();
                    McpServer other = greeting().requestState(RequestState.keys(keys)).build();
                    Peer peer = Peer.raw(one);
                    Peer second = Peer.raw(other)) {
                JsonObject asked = begin(peer, "greet");
                assertThat(Peer.text(retry(second, "greet", asked, name("Ada"))))
                        .isEqualTo("Hello, Ada");
            }
        }

        @Test
        @Requirement({"N26-MRTR-016", "N26-MRTR-019"})
        void severalAreAskedTogetherAndMayBeAnsweredOneByOne() throws Exception {
            AtomicInteger bodies = new AtomicInteger();
            Question<?> roots = Question.roots();
            try (McpServer server =
                            server().tool("all", "Asks", Nothing.class, String.class)
                                    .handle(
                                            (nothing, call) -> {
                                                bodies.incrementAndGet();
                                                var name =
                                                        Question.elicit("Name?", Name.class)
                                                                .as("user_name");
                                                var greeting =
                                                        Question.sample("Greet", 50).as("greeting");
                                                Answers answers = call.ask(name, greeting, roots);
                                                return answers.to(greeting).text()
                                                        + answers.to(name).orElseThrow().name()
                                                        + answers.to(roots);
                                            })
                                    .build();
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = begin(peer, "all");
                assertThat(asked.object("inputRequests").size()).isEqualTo(3);
                JsonObject rest = retry(peer, "all", asked, name("Ada"));
                assertThat(rest.object("inputRequests").names())
                        .hasSize(2)
                        .contains("greeting")
                        .doesNotContain("user_name");
                String rootsKey =
                        rest.object("inputRequests").names().stream()
                                .filter(key -> !key.equals("greeting"))
                                .findFirst()
                                .orElseThrow();
                JsonObject result =
                        retry(
                                peer,
                                "all",
                                rest,
                                """
                                {"greeting": {"role": "assistant", "model": "m",
                                   "content": {"type": "text", "text": "Hi "}},
                                 "%s": {"roots": []}}\
                                """
                                        .formatted(rootsKey));
                assertThat(Peer.text(result)).isEqualTo("Hi Ada[]");
                assertThat(bodies).hasValue(3);
            }
        }

        @Test
        void valuesAndIdempotencyKeysAreTheSameInEveryRound() throws Exception {
            LinkedBlockingQueue<String> keys = new LinkedBlockingQueue<>();
            try (McpServer server =
                            server().tool("pay", "Pays", Nothing.class, String.class)
                                    .handle(
                                            (nothing, call) -> {
                                                String token =
                                                        call.once(
                                                                "token",
                                                                String.class,
                                                                () -> {
                                                                    keys.add(call.idempotencyKey());
                                                                    return UUID.randomUUID()
                                                                            .toString();
                                                                });
                                                call.elicit("Pay " + token + "?", Sure.class)
                                                        .orElseThrow();
                                                return call.once(
                                                        "charge",
                                                        String.class,
                                                        () -> {
                                                            keys.add(call.idempotencyKey());
                                                            return token;
                                                        });
                                            })
                                    .build();
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = begin(peer, "pay");
                String key = asked.object("inputRequests").names().iterator().next();
                String yes =
                        "{\"" + key + "\": {\"action\": \"accept\", \"content\": {\"ok\": true}}}";
                String first = Peer.text(retry(peer, "pay", asked, yes));
                String second = Peer.text(retry(peer, "pay", asked, yes));
                assertThat(first).isEqualTo(second);
                assertThat(asked.toJson()).contains("Pay " + first);
                assertThat(keys).hasSize(3);
                List<String> all = List.copyOf(keys);
                assertThat(all.get(1)).isEqualTo(all.get(2)).isNotEqualTo(all.get(0));
            }
        }

        @Test
        @Requirement({"N26-MRTR-002", "N26-PROM-003", "N26-RES-005"})
        void promptsAndResourcesAskAsWell() throws Exception {
            try (McpServer server =
                            server().prompt("welcome", "Welcomes", Nothing.class)
                                    .handle(
                                            (nothing, call) ->
                                                    GetPromptResult.of(
                                                            PromptMessage.user(
                                                                    "Welcome "
                                                                            + call.elicit(
                                                                                            "Name?",
                                                                                            Name
                                                                                                    .class)
                                                                                    .orElseThrow()
                                                                                    .name())))
                                    .resource("test://mine", "mine", String.class)
                                    .handle(
                                            (request, call) ->
                                                    call.elicit("Name?", Name.class)
                                                            .orElseThrow()
                                                            .name())
                                    .build();
                    Peer peer = Peer.raw(server)) {
                for (String[] each :
                        new String[][] {
                            {"prompts/get", "\"name\": \"welcome\""},
                            {"resources/read", "\"uri\": \"test://mine\""}
                        }) {
                    JsonObject asked = peer.call(each[0], params(ALL, each[1]));
                    String key = asked.object("inputRequests").names().iterator().next();
                    JsonObject result =
                            peer.call(
                                    each[0],
                                    params(
                                            ALL,
                                            each[1]
                                                    + ", \"requestState\": \""
                                                    + asked.string("requestState")
                                                    + "\", \"inputResponses\": "
                                                    + name("Ada").replace("user_name", key)));
                    assertThat(result.string("resultType")).isEqualTo("complete");
                    assertThat(result.toJson()).contains("Ada");
                }
            }
        }

        @Test
        void theSignalMayBeWrappedByOtherThreads() throws Exception {
            try (McpServer server =
                            server().tool("far", "Asks far away", Nothing.class, String.class)
                                    .handle(
                                            (nothing, call) ->
                                                    CompletableFuture.supplyAsync(
                                                                    () -> {
                                                                        try {
                                                                            return call.ask(
                                                                                            Question
                                                                                                    .elicit(
                                                                                                            "Name?",
                                                                                                            Name
                                                                                                                    .class)
                                                                                                    .as(
                                                                                                            "user_name"))
                                                                                    .orElseThrow()
                                                                                    .name();
                                                                        } catch (
                                                                                InterruptedException
                                                                                        e) {
                                                                            throw new IllegalStateException(
                                                                                    e);
                                                                        }
                                                                    })
                                                            .join())
                                    .build();
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = begin(peer, "far");
                assertThat(Peer.text(retry(peer, "far", asked, name("Ada")))).isEqualTo("Ada");
            }
        }

        @Test
        void interceptorsSeeEachRoundAsACallOfItsOwn() throws Exception {
            LinkedBlockingQueue<String> seen = new LinkedBlockingQueue<>();
            try (McpServer server =
                            greeting()
                                    .intercept(
                                            (method, next) -> {
                                                Outcome<?> outcome = next.proceed(method);
                                                seen.add(
                                                        method.name()
                                                                + " "
                                                                + outcome.getClass()
                                                                        .getSimpleName());
                                                return outcome;
                                            })
                                    .build();
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = begin(peer, "greet");
                assertThat(Peer.text(retry(peer, "greet", asked, name("Ada"))))
                        .isEqualTo("Hello, Ada");
                assertThat(seen)
                        .containsExactly(
                                "tools/call InputRequired",
                                "elicitation/create Complete",
                                "tools/call Complete");
            }
        }

        @Test
        @Requirement("N26-MRTR-006")
        void whatTheClientDidNotDeclareIsNotAsked() throws Exception {
            try (McpServer server = greeting().build();
                    Peer peer = Peer.raw(server)) {
                JsonObject error =
                        peer.error("tools/call", params("{\"sampling\": {}}", tool("greet")));
                assertThat(Peer.code(error)).isEqualTo(-32021);
                assertThat(error.object("data").object("requiredCapabilities").toJson())
                        .isEqualTo("{\"elicitation\":{\"form\":{}}}");
            }
        }

        @Test
        @Requirement("N26-MRTR-017")
        void anAnswerWithoutStateFitsTheQuestionWhoseDigestIsInItsKey() throws Exception {
            AtomicReference<String> question = new AtomicReference<>("Name?");
            try (McpServer server =
                            server().tool("ask", "Asks", Nothing.class, String.class)
                                    .handle(
                                            (nothing, call) ->
                                                    call.elicit(question.get(), Name.class)
                                                            .orElseThrow()
                                                            .name())
                                    .build();
                    Peer peer = Peer.raw(server)) {
                String key = begin(peer, "ask").object("inputRequests").names().iterator().next();
                String answered =
                        params(
                                ALL,
                                tool("ask")
                                        + ", \"inputResponses\": "
                                        + name("Ada").replace("user_name", key));
                assertThat(Peer.text(peer.call("tools/call", answered))).isEqualTo("Ada");

                question.set("Age?");
                JsonObject again = peer.call("tools/call", answered);
                assertThat(again.string("resultType")).isEqualTo("input_required");
                assertThat(again.object("inputRequests").names()).doesNotContain(key);
            }
        }

        @Test
        void aCallThatHasEndedAsksNoMore() throws Exception {
            AtomicReference<Call> kept = new AtomicReference<>();
            try (McpServer server =
                            server().tool("keep", "Keeps its call", Nothing.class, String.class)
                                    .handle(
                                            (nothing, call) -> {
                                                kept.set(call);
                                                return "kept";
                                            })
                                    .build();
                    Peer peer = Peer.raw(server)) {
                assertThat(Peer.text(begin(peer, "keep"))).isEqualTo("kept");

                assertThatThrownBy(() -> kept.get().elicit("Late?", Name.class))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage(
                                "tools/call of tool keep has ended and cannot ask its client; use"
                                        + " it before its handler returns");
            }
        }

        @Test
        @Requirement("N26-ELIC-005")
        void pagesThatMustBeVisitedBecomeQuestions() throws Exception {
            AtomicInteger visits = new AtomicInteger();
            try (McpServer server =
                            server().tool("page", "Needs a page", Nothing.class, String.class)
                                    .handle(
                                            (nothing, call) -> {
                                                if (visits.getAndIncrement() == 0) {
                                                    throw new UrlElicitationRequiredException(
                                                            List.of(
                                                                    new ElicitUrlRequest(
                                                                            "Log in",
                                                                            "https://e.example/",
                                                                            "id")));
                                                }
                                                return "in";
                                            })
                                    .build();
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = begin(peer, "page");
                JsonObject requests = asked.object("inputRequests");
                String key = requests.names().iterator().next();
                assertThat(requests.object(key).object("params"))
                        .isEqualTo(
                                JsonObject.of(
                                        "mode",
                                        "url",
                                        "message",
                                        "Log in",
                                        "url",
                                        "https://e.example/"));
                assertThat(
                                Peer.text(
                                        retry(
                                                peer,
                                                "page",
                                                asked,
                                                "{\"" + key + "\": {\"action\": \"accept\"}}")))
                        .isEqualTo("in");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "tools/call, name, plain",
        "tools/call, name, held",
        "prompts/get, name, plain",
        "resources/read, uri, test://page"
    })
    @Requirement({"N26-MRTR-006", "N26-ELIC-005"})
    void aPageIsNotAskedOfAClientThatDeclaredNone(String method, String member, String name)
            throws Exception {
        try (McpServer server =
                        server().tool("plain", "Needs a page", Nothing.class, String.class)
                                .handle((nothing, call) -> needsAPage())
                                .tool("held", "Needs a page", Nothing.class, String.class)
                                .holdsWhileAsking()
                                .handle((nothing, call) -> needsAPage())
                                .prompt("plain", "Needs a page", Nothing.class)
                                .handle((nothing, call) -> needsAPage())
                                .resource("test://page", "page", String.class)
                                .handle((request, call) -> needsAPage())
                                .build();
                Peer peer = Peer.raw(server)) {
            JsonObject error =
                    peer.error(
                            method,
                            params(
                                    "{\"elicitation\": {\"form\": {}}}",
                                    "\"" + member + "\": \"" + name + "\""));

            assertThat(Peer.code(error)).isEqualTo(-32021);
            assertThat(error.object("data").object("requiredCapabilities").toJson())
                    .isEqualTo("{\"elicitation\":{\"url\":{}}}");
        }
    }

    private static <T> T needsAPage() {
        throw new UrlElicitationRequiredException(
                List.of(new ElicitUrlRequest("Log in", "https://e.example/", "id")));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Requirement("N26-ELIC-005")
    void aPageThatThePersonRefusesIsNotAskedForAgain(boolean held) throws Exception {
        McpServer.Builder builder = server();
        var tool = builder.tool("page", "Needs a page", Nothing.class, String.class);
        if (held) {
            tool.holdsWhileAsking();
        }
        tool.handle((nothing, call) -> needsAPage());
        try (McpServer server = builder.build();
                Peer peer = Peer.raw(server)) {
            JsonObject asked = begin(peer, "page");
            String key = asked.object("inputRequests").names().iterator().next();

            JsonObject refused =
                    retry(peer, "page", asked, "{\"" + key + "\": {\"action\": \"decline\"}}");

            assertThat(refused.get("isError")).isEqualTo(JsonValue.of(true));
            assertThat(refused.has("inputRequests")).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRefusalOfAnotherQuestionIsNoneOfThePage(boolean held) throws Exception {
        McpServer.Builder builder = server();
        var tool = builder.tool("page", "Needs a page", Nothing.class, String.class);
        if (held) {
            tool.holdsWhileAsking();
        }
        tool.handle(
                (nothing, call) -> {
                    call.ask(Question.elicit("Extras?", Sure.class).as("extras"));
                    return call.retry().isPresent() ? "visited" : needsAPage();
                });
        try (McpServer server = builder.build();
                Peer peer = Peer.raw(server)) {
            JsonObject first = begin(peer, "page");
            JsonObject second =
                    retry(peer, "page", first, "{\"extras\": {\"action\": \"decline\"}}");
            assertThat(second.string("resultType")).isEqualTo("input_required");
            String key = second.object("inputRequests").names().iterator().next();

            assertThat(
                            second.object("inputRequests")
                                    .object(key)
                                    .object("params")
                                    .string("message"))
                    .isEqualTo("Log in");
            JsonObject last =
                    retry(peer, "page", second, "{\"" + key + "\": {\"action\": \"accept\"}}");
            if (held) { // which is asked once more, since the handler has thrown
                last = retry(peer, "page", last, "{\"extras\": {\"action\": \"decline\"}}");
            }
            assertThat(Peer.text(last)).isEqualTo("visited");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRefusalOfWhatTheHandlerThrewIsNoneOfThePage(boolean held) throws Exception {
        McpServer.Builder builder = server();
        var tool = builder.tool("page", "Needs a page", Nothing.class, String.class);
        if (held) {
            tool.holdsWhileAsking();
        }
        tool.handle(
                (nothing, call) -> {
                    if (call.retry().isEmpty()) {
                        throw new InputRequiredException(
                                List.of(Question.elicit("Extras?", Sure.class).as("extras")), null);
                    }
                    return needsAPage();
                });
        try (McpServer server = builder.build();
                Peer peer = Peer.raw(server)) {
            JsonObject first = begin(peer, "page");
            JsonObject second =
                    retry(peer, "page", first, "{\"extras\": {\"action\": \"decline\"}}");
            assertThat(second.toJson()).contains("Log in");
            String key = second.object("inputRequests").names().iterator().next();
            JsonObject refused =
                    retry(peer, "page", second, "{\"" + key + "\": {\"action\": \"decline\"}}");
            assertThat(refused.get("isError")).isEqualTo(JsonValue.of(true));
        }
    }

    @Nested
    class Explicitly {
        private McpServer.Builder raw() {
            return server().tool(new Tool("raw", JsonObject.of("type", "object")))
                    .handle(
                            (request, call) -> {
                                var retry = call.retry();
                                if (retry.isEmpty()) {
                                    throw new InputRequiredException(
                                            List.of(
                                                    Question.elicit("Name?", Name.class)
                                                            .as("user_name")),
                                            JsonValue.of("mine"));
                                }
                                return CallToolResult.text(
                                        retry.get().state()
                                                + retry.get()
                                                        .answers()
                                                        .get("user_name")
                                                        .object("content")
                                                        .toJson());
                            });
        }

        @Test
        @Requirement("N26-MRTR-003")
        void aHandlerThatThrowsItsQuestionsIsEnteredAgainWithTheAnswers() throws Exception {
            try (McpServer server = raw().build();
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = begin(peer, "raw");
                assertThat(asked.object("inputRequests").names()).containsExactly("user_name");
                assertThat(Peer.text(retry(peer, "raw", asked, name("Ada"))))
                        .isEqualTo("\"mine\"{\"name\":\"Ada\"}");
            }
        }

        @Test
        void inASessionTheClientIsAskedByARequest() throws Exception {
            try (McpServer server = raw().build();
                    Peer peer = Peer.of(server, Revision.V2025_11_25, "{\"elicitation\": {}}")) {
                Pending call = peer.startTool("raw", "{}");
                JsonObject question = peer.next("elicitation/create");
                peer.answer(question, "{\"action\": \"accept\", \"content\": {\"name\": \"Ada\"}}");
                assertThat(Peer.text(call.result())).isEqualTo("\"mine\"{\"name\":\"Ada\"}");
            }
        }
    }

    @Nested
    class InASession {
        @Test
        void severalQuestionsAreOpenAtOnceAndOneThatFailsWithdrawsTheOthers() throws Exception {
            try (McpServer server =
                            server().tool("all", "Asks", Nothing.class, String.class)
                                    .handle(
                                            (nothing, call) -> {
                                                var name = Question.elicit("Name?", Name.class);
                                                var greeting = Question.sample("Greet", 50);
                                                Answers answers = call.ask(name, greeting);
                                                return answers.to(greeting).text()
                                                        + answers.to(name).orElseThrow().name();
                                            })
                                    .build();
                    Peer peer =
                            Peer.of(
                                    server,
                                    Revision.V2025_11_25,
                                    "{\"elicitation\": {}, \"sampling\": {}}")) {
                Pending call = peer.startTool("all", "{}");
                JsonObject sampling = peer.next("sampling/createMessage");
                JsonObject form = peer.next("elicitation/create");
                peer.answer(form, "{\"action\": \"accept\", \"content\": {\"name\": \"Ada\"}}");
                peer.answer(
                        sampling,
                        "{\"role\": \"assistant\", \"model\": \"m\", \"content\": {\"type\":"
                                + " \"text\", \"text\": \"Hi \"}}");
                assertThat(Peer.text(call.result())).isEqualTo("Hi Ada");

                Pending failing = peer.startTool("all", "{}");
                JsonObject refused = peer.next("sampling/createMessage");
                JsonObject open = peer.next("elicitation/create");
                peer.send(
                        ("{\"jsonrpc\": \"2.0\", \"id\": %s, \"error\": {\"code\": -1, \"message\":"
                                        + " \"no\"}}")
                                .formatted(refused.get("id")));
                assertThat(peer.next("notifications/cancelled").object("params").get("requestId"))
                        .isEqualTo(open.get("id"));
                assertThat(Peer.text(failing.result()))
                        .isEqualTo("The client answered sampling/createMessage with an error: no");
            }
        }
    }

    @Nested
    class BadInput {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "null",
                    "{}",
                    "{\"wrong\": {\"action\": \"accept\"}}",
                    "{\"wrong\": 7}",
                    "{\"\": null}"
                })
        @Requirement("N26-MRTR-017")
        void whatIsMissingIsAskedAgain(String responses) throws Exception {
            try (McpServer server = greeting().build();
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = begin(peer, "greet");
                JsonObject again = retry(peer, "greet", asked, responses);
                assertThat(again.object("inputRequests")).isEqualTo(asked.object("inputRequests"));
                assertThat(again.string("requestState")).isNotEqualTo(asked.string("requestState"));
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{\"user_name\": 7}",
                    "{\"user_name\": null}",
                    "{\"user_name\": []}",
                    "{\"user_name\": {}}",
                    "{\"user_name\": {\"action\": \"maybe\"}}",
                    "{\"user_name\": {\"roots\": []}}"
                })
        @Requirement("N26-MRTR-017")
        void whatIsNoAnswerIsRefusedByItsKey(String responses) throws Exception {
            try (McpServer server = greeting().build();
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = begin(peer, "greet");
                JsonObject error = peer.error("tools/call", again("greet", asked, responses));
                assertThat(Peer.code(error)).isEqualTo(-32602);
                assertThat(error.string("message")).contains("inputResponses.user_name");
            }
        }

        @Test
        void aNamedQuestionThatHasChangedIsAskedAgain() throws Exception {
            AtomicInteger price = new AtomicInteger(6);
            try (McpServer server =
                            server().tool("pay", "Asks", Nothing.class, String.class)
                                    .handle(
                                            (nothing, call) -> {
                                                String message = "Pay " + price.get() + "?";
                                                call.ask(
                                                        Question.elicit(message, Name.class)
                                                                .as("user_name"));
                                                return message;
                                            })
                                    .build();
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = begin(peer, "pay");
                price.set(7);
                JsonObject changed = retry(peer, "pay", asked, name("Ada"));
                assertThat(changed.object("inputRequests").toJson()).contains("Pay 7?");
                assertThat(Peer.text(retry(peer, "pay", changed, name("Ada")))).isEqualTo("Pay 7?");
            }
        }

        @Test
        void rightKeysAreUsedWithoutAState() throws Exception {
            try (McpServer server = greeting().build();
                    Peer peer = Peer.raw(server)) {
                JsonObject result =
                        peer.call(
                                "tools/call",
                                params(
                                        ALL,
                                        tool("greet") + ", \"inputResponses\": " + name("Ada")));
                assertThat(Peer.text(result)).isEqualTo("Hello, Ada");
            }
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "\"requestState\": 7            | requestState must be a string",
                    "\"inputResponses\": 7          | inputResponses must be an object",
                    "\"requestState\": \"\"         | Invalid or expired requestState",
                    "\"requestState\": \"v1.AAAA\"  | Invalid or expired requestState",
                    "\"requestState\": \"v2.AAAA\"  | Invalid or expired requestState"
                })
        @Requirement("N26-MRTR-012")
        void malformedMembersOfARetryAreRefused(String member, String message) throws Exception {
            try (McpServer server = greeting().build();
                    Peer peer = Peer.raw(server)) {
                JsonObject error =
                        peer.error("tools/call", params(ALL, tool("greet") + ", " + member));
                assertThat(Peer.code(error)).isEqualTo(-32602);
                assertThat(error.string("message")).contains(message);
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"null", "[]", "{}"})
        void noResponsesAreNone(String none) throws Exception {
            try (McpServer server = greeting().build();
                    Peer peer = Peer.raw(server)) {
                JsonObject result =
                        peer.call(
                                "tools/call",
                                params(ALL, tool("greet") + ", \"inputResponses\": " + none));
                assertThat(result.string("resultType")).isEqualTo("input_required");
            }
        }

        @Test
        void methodsThatCannotAskIgnoreThem() throws Exception {
            try (McpServer server = greeting().build();
                    Peer peer = Peer.raw(server)) {
                assertThat(
                                peer.call(
                                                "tools/list",
                                                params(
                                                        ALL,
                                                        "\"requestState\": 7, \"inputResponses\":"
                                                                + " 7"))
                                        .has("tools"))
                        .isTrue();
            }
        }

        /** A state of one of them must not serve for the other. */
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "\"arguments\": {}, \"arguments\": {\"a\": 1}",
                    "\"arguments\": {\"a\": 1}, \"arguments\": {}",
                    "\"arguments\": {}, \"\\u0061rguments\": {\"a\": 1}",
                    "\"arguments\": {}, \"name\": \"greet\""
                })
        void argumentsAndANameThatAreThereTwiceAreRefused(String twice) throws Exception {
            try (McpServer server = greeting().build();
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = begin(peer, "greet");
                JsonObject error =
                        peer.error(
                                "tools/call",
                                again("greet", asked, name("Ada"))
                                        .replace("\"arguments\": {}", twice));
                assertThat(Peer.code(error)).isEqualTo(-32602);
            }
        }

        @Test
        @Requirement({"N26-MRTR-012", "N26-MRTR-013"})
        void aStateOfAnotherToolOrOtherArgumentsIsRefused() throws Exception {
            try (McpServer server =
                            greeting()
                                    .tool("other", "Other", Nothing.class, String.class)
                                    .handle((nothing, call) -> "ran")
                                    .build();
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = begin(peer, "greet");
                JsonObject other = peer.error("tools/call", again("other", asked, "{}"));
                JsonObject arguments =
                        peer.error(
                                "tools/call",
                                again("greet", asked, "{}")
                                        .replace("\"arguments\": {}", "\"arguments\": {\"a\": 1}"));
                assertThat(other).isEqualTo(arguments);
                assertThat(other)
                        .isEqualTo(
                                Peer.json(
                                        """
                                        {"code": -32602, "message": "Invalid or expired requestState",
                                         "data": {"reason": "invalid_request_state"}}\
                                        """));
                assertThat(server.refusedRequestStates()).isEqualTo(2);
            }
        }

        @Test
        @Requirement("N26-MRTR-023")
        void aBodyThatSwallowsTheSignalIsABugOfTheServer() throws Exception {
            try (McpServer server =
                            server().tool("swallow", "Swallows", Nothing.class, String.class)
                                    .handle(
                                            (nothing, call) -> {
                                                try {
                                                    call.elicit("Name?", Name.class);
                                                } catch (Error e) {
                                                    return "swallowed";
                                                }
                                                return "answered";
                                            })
                                    .build();
                    Peer peer = Peer.raw(server);
                    Logged logged = new Logged(ServerCall.class.getName(), Level.WARNING)) {
                JsonObject error = peer.error("tools/call", params(ALL, tool("swallow")));
                assertThat(Peer.code(error)).isEqualTo(-32603);
                assertThat(logged.lines())
                        .filteredOn(line -> line.contains("swallow"))
                        .singleElement()
                        .asString()
                        .matches(
                                "SEVERE The handler of tools/call of tool swallow returned although"
                                        + " it had asked its client \\([A-Za-z0-9_-]{16}-0:"
                                        + " elicitation/create 'Name\\?'\\): it must let the Error"
                                        + " pass that asking throws");
            }
        }

        @Test
        void theLogHasTheStartOfEachSwallowedQuestion() throws Exception {
            try (McpServer server =
                            server().tool("swallow", "Swallows", Nothing.class, String.class)
                                    .handle(
                                            (nothing, call) -> {
                                                try {
                                                    call.ask(
                                                            Question.elicit(
                                                                            "Your\nname"
                                                                                    + "?"
                                                                                            .repeat(
                                                                                                    1_000),
                                                                            Name.class)
                                                                    .as("user_name"),
                                                            Question.sample("Greet", 5).as("hello"),
                                                            Question.roots().as("folders"));
                                                } catch (Error e) {
                                                    return "swallowed";
                                                }
                                                return "answered";
                                            })
                                    .build();
                    Peer peer = Peer.raw(server);
                    Logged logged = new Logged(ServerCall.class.getName(), Level.WARNING)) {
                peer.error("tools/call", params(ALL, tool("swallow")));

                assertThat(logged.lines())
                        .filteredOn(line -> line.contains("swallow"))
                        .singleElement()
                        .asString()
                        .contains("(user_name: elicitation/create 'Your\\u000aname????")
                        .contains(
                                "???… (1009 characters)', hello: sampling/createMessage 'Greet',"
                                        + " folders: roots/list)")
                        .hasSizeLessThan(500)
                        .doesNotContain("\n");
            }
        }

        @Test
        void aStateThatStaysInTheProcessWarnsOfNothing() throws Exception {
            try (McpServer server = greeting().build();
                    Peer peer = Peer.raw(server);
                    Logged logged = new Logged(RequestStates.class.getName(), Level.WARNING)) {
                begin(peer, "greet");

                assertThat(logged.lines()).isEmpty();
            }
        }

        @Test
        @Requirement("N26-MRTR-018")
        void aQuestionThatIsAlwaysNewEndsAfterSixteenRounds() throws Exception {
            AtomicInteger time = new AtomicInteger();
            try (McpServer server =
                            server().tool("now", "Asks", Nothing.class, String.class)
                                    .handle(
                                            (nothing, call) ->
                                                    call.ask(
                                                                    Question.elicit(
                                                                                    "Is it "
                                                                                            + time
                                                                                                    .incrementAndGet(),
                                                                                    Name.class)
                                                                            .as("user_name"))
                                                            .toString())
                                    .build();
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = begin(peer, "now");
                for (int round = 2; round <= 16; round++) {
                    asked = retry(peer, "now", asked, name("Ada"));
                }
                JsonObject error = peer.error("tools/call", again("now", asked, name("Ada")));
                assertThat(Peer.code(error)).isEqualTo(-32603);
                assertThat(error.string("message")).contains("16 rounds");
                assertThat(time).hasValue(17);
            }
        }

        @Test
        void aStateThatGrowsTooLargeIsRefused() throws Exception {
            try (McpServer server =
                            server().tool("big", "Keeps much", Nothing.class, String.class)
                                    .handle(
                                            (nothing, call) -> {
                                                call.once(
                                                        "big",
                                                        String.class,
                                                        () -> "x".repeat(40_000));
                                                call.elicit("Name?", Name.class);
                                                return "never";
                                            })
                                    .build();
                    Peer peer = Peer.raw(server)) {
                JsonObject error = peer.error("tools/call", params(ALL, tool("big")));
                assertThat(Peer.code(error)).isEqualTo(-32603);
                assertThat(error.string("message")).contains("32768");
            }
        }

        @Test
        void elsewhereAskingIsAMistakeOfTheHandler() throws Exception {
            AtomicReference<Throwable> failure = new AtomicReference<>();
            try (McpServer server =
                            server().method("own/ask", JsonObject.class, JsonObject.class)
                                    .handle(
                                            (params, call) -> {
                                                try {
                                                    call.elicit("Name?", Name.class);
                                                } catch (Exception | Error e) {
                                                    failure.set(e);
                                                    throw e;
                                                }
                                                return JsonObject.EMPTY;
                                            })
                                    .build();
                    Peer peer = Peer.raw(server)) {
                JsonObject error = peer.error("own/ask", params(ALL, "\"a\": 1"));
                assertThat(Peer.code(error)).isEqualTo(-32603);
                assertThat(failure.get())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("elicitation/create cannot be asked during this request");
            }
        }
    }
}
