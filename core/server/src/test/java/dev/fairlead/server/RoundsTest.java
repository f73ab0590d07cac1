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
import dev.fairlead.server.handler.Answers;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.InputRequiredException;
import dev.fairlead.server.handler.Question;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Handlers that ask a client of revision 2026-07-28: each starts again with the answers. */
class RoundsTest {
    record Nothing() {}

    record Name(String name) {}

    record Sure(boolean ok) {}

    static final String ALL =
            "{\"elicitation\": {\"form\": {}, \"url\": {}}, \"sampling\": {}, \"roots\": {}}";

    static McpServer.Builder server() {
        return McpServer.named("rounds", "1").revisions(Revision.V2025_11_25, Revision.V2026_07_28);
    }

    static McpServer.Builder greeting() {
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

    static String params(String capabilities, String members) {
        return """
        {%s, "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                       "io.modelcontextprotocol/clientCapabilities": %s}}\
        """
                .formatted(members, capabilities);
    }

    static String tool(String name) {
        return "\"name\": \"" + name + "\", \"arguments\": {}";
    }

    static JsonObject begin(Peer peer, String tool) throws Exception {
        return peer.call("tools/call", params(ALL, tool(tool)));
    }

    static String again(String tool, JsonObject asked, String responses) {
        return params(
                ALL,
                tool(tool)
                        + ", \"inputResponses\": "
                        + responses
                        + ", \"requestState\": \""
                        + asked.string("requestState")
                        + "\"");
    }

    static JsonObject retry(Peer peer, String tool, JsonObject asked, String responses)
            throws Exception {
        return peer.call("tools/call", again(tool, asked, responses));
    }

    static String name(String name) {
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
}
