package dev.fairlead.server;

import static dev.fairlead.server.Peer.json;
import static dev.fairlead.server.Peer.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.content.ToolResultContent;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.IncludeContext;
import dev.fairlead.protocol.sampling.ModelHint;
import dev.fairlead.protocol.sampling.ModelPreferences;
import dev.fairlead.protocol.sampling.SamplingMessage;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.handler.Handler;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/** Questions to the client's model, and for its roots. */
class SamplingTest {
    private static final Tool WEATHER = new Tool("weather", json("{\"type\": \"object\"}"));
    private static final String TOOLS = "{\"sampling\": {\"tools\": {}}}";
    private static final String ANSWER =
            """
            {"role": "assistant", "model": "m", "stopReason": "endTurn", "content": {"type": "text", "text": "blue"}}\
            """;
    private static final String USE =
            """
            {"role": "assistant", "model": "m", "stopReason": "toolUse", "content": [
              {"type": "tool_use", "id": "u1", "name": "weather", "input": {"city": "Oslo"}},
              {"type": "tool_use", "id": "u2", "name": "weather", "input": {"city": "Rome"}}]}\
            """;

    private static McpServer asking(Handler<NoInput, String> handler) {
        return McpServer.named("s", "1")
                .tool("ask", "Tested", NoInput.class, String.class)
                .handle(handler)
                .build();
    }

    @CheckReturnValue
    private static Pending start(Peer peer) {
        return peer.request("tools/call", "{\"name\": \"ask\"}");
    }

    @Test
    @Requirement({"SAMP-004", "SAMP-005", "SAMP-006"})
    void aTextIsContinued() throws Exception {
        try (McpServer server = asking((none, call) -> call.sample("What color?", 20).text());
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, "{\"sampling\": {}}")) {
            Pending call = start(peer);
            JsonObject question = peer.next("sampling/createMessage");
            assertThat(question.object("params"))
                    .isEqualTo(
                            json(
                                    """
                                    {"maxTokens": 20, "messages": [
                                      {"role": "user", "content": {"type": "text", "text": "What color?"}}]}\
                                    """));

            peer.answer(question, ANSWER);

            assertThat(text(call.result())).isEqualTo("blue");
        }
    }

    @Test
    void aRequestIsSentWithThePreferencesOfItsServer() throws Exception {
        ModelPreferences preferences =
                ModelPreferences.NONE
                        .withHints(List.of(ModelHint.of("sonnet"), ModelHint.of("gpt")))
                        .withSpeedPriority(0.25)
                        .withIntelligencePriority(0.75);
        CreateMessageRequest request =
                CreateMessageRequest.of("x", 20)
                        .withModelPreferences(preferences)
                        .withTemperature(0.5)
                        .withStopSequences(List.of("END", "."));
        try (McpServer server = asking((none, call) -> call.sample(request).text());
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, "{\"sampling\": {}}")) {
            Pending call = start(peer);
            JsonObject question = peer.next("sampling/createMessage");

            assertThat(question.object("params"))
                    .isEqualTo(
                            json(
                                    """
                                    {"maxTokens": 20, "messages": [
                                      {"role": "user", "content": {"type": "text", "text": "x"}}],
                                     "modelPreferences": {"hints": [{"name": "sonnet"}, {"name": "gpt"}],
                                      "speedPriority": 0.25, "intelligencePriority": 0.75},
                                     "temperature": 0.5, "stopSequences": ["END", "."]}\
                                    """));
            peer.answer(question, ANSWER);
            assertThat(text(call.result())).isEqualTo("blue");
        }
    }

    @Test
    @Requirement({"SAMP-002", "SAMP-015", "LIFE-034", "LIFE-016"})
    void whatTheClientDidNotDeclareIsNotSent() throws Exception {
        CreateMessageRequest plain = CreateMessageRequest.of("x", 1);
        for (var unasked :
                List.of(
                        plain.withTools(List.of(WEATHER)),
                        plain.withIncludeContext(IncludeContext.ALL_SERVERS))) {
            try (McpServer server = asking((none, call) -> call.sample(unasked).text());
                    Peer peer =
                            Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, "{\"sampling\": {}}")) {
                assertThat(peer.callTool("ask", "{}").bool("isError")).isTrue();
                assertThat(peer.rest()).isEmpty();
            }
        }
        try (McpServer server = asking((none, call) -> call.sample(plain).text());
                Peer peer = Peer.of(server)) {
            assertThat(text(peer.callTool("ask", "{}"))).contains("sampling");
        }
    }

    @Test
    @Requirement({"SAMP-008", "SAMP-009", "SAMP-010", "SAMP-013", "SAMP-014", "SAMP-007"})
    void theToolsOfAModelRunUntilItIsDone() throws Exception {
        CreateMessageRequest request =
                new CreateMessageRequest(List.of(SamplingMessage.user("Warmer where?")), 100)
                        .withTools(List.of(WEATHER));
        try (McpServer server =
                        asking(
                                (none, call) ->
                                        call.sample(
                                                        request,
                                                        3,
                                                        use -> {
                                                            if (use.input()
                                                                    .string("city")
                                                                    .equals("Rome")) {
                                                                throw new ToolFailedException(
                                                                        "no station");
                                                            }
                                                            return CallToolResult.text(
                                                                    "12 degrees");
                                                        })
                                                .text());
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, TOOLS)) {
            Pending call = start(peer);
            peer.answer(peer.next("sampling/createMessage"), USE);
            JsonObject second = peer.next("sampling/createMessage");

            assertThat(second.object("params").array("messages").get(2))
                    .isEqualTo(
                            json(
                                    """
                                    {"role": "user", "content": [
                                      {"type": "tool_result", "toolUseId": "u1", "content": [{"type": "text", "text": "12 degrees"}]},
                                      {"type": "tool_result", "toolUseId": "u2", "isError": true, "content": [{"type": "text", "text": "no station"}]}]}\
                                    """));
            assertThat(second.object("params").has("toolChoice")).isFalse();
            peer.answer(second, ANSWER);
            assertThat(text(call.result())).isEqualTo("blue");
        }
    }

    @Test
    @Requirement({"SAMP-012", "SAMP-013", "N26-SAMP-005"})
    void theRoundsAreBoundedAndTheLastIsWithoutTools() throws Exception {
        CreateMessageRequest request =
                CreateMessageRequest.of("x", 100).withTools(List.of(WEATHER));
        try (McpServer server =
                        asking(
                                (none, call) ->
                                        call.sample(request, 2, use -> CallToolResult.text("y"))
                                                .text());
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, TOOLS)) {
            Pending call = start(peer);
            peer.answer(peer.next("sampling/createMessage"), USE);
            JsonObject last = peer.next("sampling/createMessage");
            assertThat(last.object("params").object("toolChoice").string("mode")).isEqualTo("none");

            peer.answer(last, USE);

            JsonObject result = call.result();
            assertThat(result.bool("isError")).isTrue();
            assertThat(text(result)).isEqualTo("The model still wanted tools after 2 rounds");
        }
    }

    @Test
    @Requirement({"SAMP-008", "SAMP-009", "SAMP-021", "N26-SAMP-003"})
    void messagesOutOfOrderAreRefusedBeforeTheyAreSent() throws Exception {
        CreateMessageRequest request =
                new CreateMessageRequest(
                        List.of(
                                SamplingMessage.user("x"),
                                SamplingMessage.user(new ToolResultContent("u9", List.of()))),
                        10);
        try (McpServer server =
                        asking(
                                (none, call) -> {
                                    try {
                                        return call.sample(request).text();
                                    } catch (IllegalArgumentException e) {
                                        return "refused: " + e.getMessage();
                                    }
                                });
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, TOOLS)) {
            assertThat(text(peer.callTool("ask", "{}"))).startsWith("refused: messages[1]");
            assertThat(peer.rest()).isEmpty();
        }
    }

    @Test
    @Requirement({"ROOT-002", "ROOT-010", "ROOT-011", "BASE-004"})
    void rootsAreAskedForEachTime() throws Exception {
        try (McpServer server =
                        asking(
                                (none, call) ->
                                        call.roots().get(0).uri()
                                                + " "
                                                + call.roots().get(0).uri());
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, "{\"roots\": {}}")) {
            Pending call = start(peer);
            peer.answer(
                    peer.next("roots/list"),
                    "{\"roots\": [{\"uri\": \"file:///a\", \"name\": \"A\"}]}");
            peer.answer(peer.next("roots/list"), "{\"roots\": [{\"uri\": \"file:///b\"}]}");

            assertThat(text(call.result())).isEqualTo("file:///a file:///b");
        }
    }

    @Test
    @Requirement({"ROOT-010", "LIFE-034"})
    void rootsAreNotRequestedFromAClientWithoutRoots() throws Exception {
        try (McpServer server = asking((none, call) -> "" + call.roots());
                Peer peer = Peer.of(server)) {
            assertThat(text(peer.callTool("ask", "{}")))
                    .isEqualTo(
                            "roots/list needs the capability roots of the peer; a McpClient sets"
                                    + " roots or onRoots");
            assertThat(peer.rest()).isEmpty();
        }
    }

    @Test
    @Requirement({"LIFE-028", "LIFE-029", "LIFE-030"})
    void aClientThatStaysSilentIsWaitedForThirtySecondsOrAsSet() throws Exception {
        ManualTimers timers = new ManualTimers();
        try (McpServer server =
                        McpServer.named("s", "1")
                                .tool("roots", "Tested", NoInput.class, String.class)
                                .handle((none, call) -> "" + call.roots())
                                .tool("quick", "Tested", NoInput.class, String.class)
                                .handle(
                                        (none, call) ->
                                                ""
                                                        + call.withTimeout(Duration.ofSeconds(5))
                                                                .roots())
                                .build(timers);
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, "{\"roots\": {}}")) {
            Pending quick = peer.request("tools/call", "{\"name\": \"quick\"}");
            peer.next("roots/list");
            timers.awaitTimers(2);
            timers.advance(Duration.ofSeconds(5));
            assertThat(text(quick.result())).contains("roots/list").contains("5 s");
            peer.next("notifications/cancelled");

            Pending roots = peer.request("tools/call", "{\"name\": \"roots\"}");
            peer.next("roots/list");
            timers.awaitTimers(2);
            timers.advance(Duration.ofSeconds(30).minusMillis(1));
            assertThat(peer.rest()).isEmpty();
            timers.advance(Duration.ofMillis(1));
            assertThat(text(roots.result())).contains("30 s");
        }
    }

    @Test
    @Requirement("LIFE-006")
    void aClientThatNeverSaysThatItIsInitializedIsNotWaitedForForever() throws Exception {
        ManualTimers timers = new ManualTimers();
        try (McpServer server =
                        McpServer.named("s", "1")
                                .tool("roots", "Tested", NoInput.class, String.class)
                                .handle((none, call) -> "" + call.roots())
                                .build(timers);
                Peer peer = Peer.raw(server)) {
            peer.initialize("2025-11-25", "{\"roots\": {}}");
            Pending call = peer.request("tools/call", "{\"name\": \"roots\"}");
            timers.awaitTimers(2);

            timers.advance(Duration.ofSeconds(30));

            assertThat(text(call.result()))
                    .isEqualTo("the client did not send notifications/initialized within 30 s");
            assertThat(peer.rest()).isEmpty();
        }
    }

    @Test
    @Requirement({"PROG-001", "LIFE-031", "LIFE-032"})
    void progressOfAnAnswerReachesTheHandlerAndExtendsTheTimeout() throws Exception {
        ManualTimers timers = new ManualTimers();
        try (McpServer server =
                        McpServer.named("s", "1")
                                .tool("ask", "Tested", NoInput.class, String.class)
                                .handle(
                                        (none, call) -> {
                                            StringBuilder heard = new StringBuilder();
                                            String said =
                                                    call.withTimeout(
                                                                    Duration.ofSeconds(10),
                                                                    Duration.ofSeconds(15))
                                                            .withProgress(
                                                                    p -> heard.append(p.progress()))
                                                            .sample("x", 1)
                                                            .text();
                                            return said + heard;
                                        })
                                .build(timers);
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, "{\"sampling\": {}}")) {
            Pending call = start(peer);
            JsonObject question = peer.next("sampling/createMessage");
            timers.awaitTimers(2);
            timers.advance(Duration.ofSeconds(9));
            peer.notify(
                    "notifications/progress",
                    "{\"progressToken\": %s, \"progress\": 1}"
                            .formatted(
                                    question.object("params")
                                            .object("_meta")
                                            .get("progressToken")));
            peer.rest();
            timers.advance(Duration.ofSeconds(5));

            peer.answer(question, ANSWER);

            assertThat(text(call.result())).isEqualTo("blue1.0");
        }
    }

    @Test
    @Requirement({"ERR-026", "SAMP-020"})
    void aRefusalOfTheClientIsAnErrorThatTheHandlerSees() throws Exception {
        try (McpServer server =
                        asking(
                                (none, call) -> {
                                    try {
                                        return call.sample("x", 1).text();
                                    } catch (dev.fairlead.jsonrpc.JsonRpcException e) {
                                        return e.code() + " " + e.getMessage();
                                    }
                                });
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, "{\"sampling\": {}}")) {
            Pending call = start(peer);
            JsonObject question = peer.next("sampling/createMessage");
            peer.send(
                    """
                    {"jsonrpc": "2.0", "id": %s, "error": {"code": -1, "message": "User rejected sampling request"}}\
                    """
                            .formatted(question.get("id")));

            assertThat(text(call.result())).isEqualTo("-1 User rejected sampling request");
        }
    }
}
