package dev.fairlead.server;

import static dev.fairlead.server.RoundsTest.ALL;
import static dev.fairlead.server.RoundsTest.again;
import static dev.fairlead.server.RoundsTest.begin;
import static dev.fairlead.server.RoundsTest.greeting;
import static dev.fairlead.server.RoundsTest.name;
import static dev.fairlead.server.RoundsTest.params;
import static dev.fairlead.server.RoundsTest.retry;
import static dev.fairlead.server.RoundsTest.server;
import static dev.fairlead.server.RoundsTest.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.RoundsTest.Name;
import dev.fairlead.server.RoundsTest.Nothing;
import dev.fairlead.server.call.ServerCall;
import dev.fairlead.server.handler.Question;
import dev.fairlead.server.requeststate.RequestStates;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;

/** Retries with bad input, and handlers that ask badly. */
class RoundsRefusalsTest {
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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{\"uri\": \"file:///a\"}, {\"uri\": \"vscode-remote://b\"}, 7] | [file:///a]",
                "[{}] | []",
                "null | []"
            })
    void aRootThatCannotBeReadCostsThatRoot(String roots, String read) throws Exception {
        try (McpServer server =
                        server().tool("roots", "Lists", Nothing.class, String.class)
                                .handle(
                                        (nothing, call) ->
                                                call.ask(Question.roots().as("r")).stream()
                                                        .map(Root::uri)
                                                        .toList()
                                                        .toString())
                                .build();
                Peer peer = Peer.raw(server)) {
            JsonObject asked = begin(peer, "roots");
            String responses = "{\"r\": {\"roots\": " + roots + "}}";
            assertThat(Peer.text(retry(peer, "roots", asked, responses))).isEqualTo(read);
            JsonObject error = peer.error("tools/call", again("roots", asked, "{\"r\": {}}"));
            assertThat(Peer.code(error)).isEqualTo(-32602);
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
                            params(ALL, tool("greet") + ", \"inputResponses\": " + name("Ada")));
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
            JsonObject error = peer.error("tools/call", params(ALL, tool("greet") + ", " + member));
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
                "\"arguments\": null, \"arguments\": {\"a\": 1}",
                "\"arguments\": {}, \"arguments\": null",
                "\"arguments\": [], \"arguments\": {\"a\": 1}",
                "\"arguments\": {}, \"name\": \"greet\""
            })
    void argumentsAndANameThatAreThereTwiceAreRefused(String twice) throws Exception {
        try (McpServer server = greeting().build();
                Peer peer = Peer.raw(server)) {
            JsonObject asked = begin(peer, "greet");
            JsonObject error =
                    peer.error(
                            "tools/call",
                            again("greet", asked, name("Ada")).replace("\"arguments\": {}", twice));
            assertThat(Peer.code(error)).isEqualTo(-32602);
        }
    }

    record Order(int amount) {}

    /** States of no arguments would serve for any. */
    @Test
    @Requirement("N26-MRTR-012")
    void argumentsBehindANullGetNoState() throws Exception {
        try (McpServer server =
                        greeting()
                                .tool("pay", "Pays", Order.class, String.class)
                                .handle(
                                        (order, call) ->
                                                call.elicit("Pay " + order.amount(), Nothing.class)
                                                        .toString())
                                .build();
                Peer peer = Peer.raw(server)) {
            String order = "\"name\": \"pay\", \"arguments\": null, \"arguments\": {\"amount\": 1}";
            JsonObject error = peer.error("tools/call", params(ALL, order));
            assertThat(Peer.code(error)).isEqualTo(-32602);
            assertThat(error.string("message"))
                    .isEqualTo("Invalid params: arguments is there twice");
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
                                                                                + "?".repeat(1_000),
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
                                                    "big", String.class, () -> "x".repeat(40_000));
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
