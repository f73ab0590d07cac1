package dev.fairlead.client;

import static dev.fairlead.client.FakeServer.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.ClosingTest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;

/** Models that speak on behalf of the server. */
final class SamplingTest extends ClosingTest {
    private static final String HELLO =
            """
            {"messages": [{"role": "user", "content": {"type": "text", "text": "Hello"}}], "maxTokens": 50}\
            """;

    private final FakeServer server = new FakeServer();
    private final List<CreateMessageRequest> asked = new ArrayList<>();

    private void connect(McpClient.Builder builder) throws Exception {
        closedLater(builder.connect(server));
    }

    private McpClient.Builder model() {
        return McpClient.named("desk", "1")
                .onSample(
                        request -> {
                            asked.add(request);
                            return CreateMessageResult.text("small", "Hi");
                        });
    }

    private JsonObject sample(String params) throws InterruptedException {
        server.ask(1, "sampling/createMessage", params);
        return server.response(1);
    }

    private void assertRefused(String params, int code) throws InterruptedException {
        assertThat(sample(params).object("error").integer("code")).isEqualTo(code);
        assertThat(asked).isEmpty();
    }

    @Test
    @Requirement({"SAMP-004", "SAMP-005", "SAMP-006"})
    void aModelAnswers() throws Exception {
        connect(model());
        assertThat(sample(HELLO).get("result"))
                .isEqualTo(
                        json(
                                """
                                {"role": "assistant", "content": {"type": "text", "text": "Hi"}, "model": "small",
                                 "stopReason": "endTurn"}\
                                """));
        assertThat(asked.get(0).maxTokens()).isEqualTo(50);
    }

    @Test
    @Requirement({"SAMP-004", "SAMP-017", "N26-SAMP-004"})
    void everyWishOfTheServerReachesTheModel() throws Exception {
        connect(model());
        sample(
                """
                {"messages": [], "maxTokens": 9, "systemPrompt": "Be brief", "temperature": 0.5, "includeContext": "none",
                 "stopSequences": ["."], "metadata": {"k": 1},
                 "modelPreferences": {"hints": [{"name": "claude"}, {"name": "gpt"}], "costPriority": 0.1}}\
                """);
        CreateMessageRequest request = asked.get(0);
        assertThat(request.systemPrompt()).isEqualTo("Be brief");
        assertThat(request.temperature()).isEqualTo(0.5);
        assertThat(request.stopSequences()).containsExactly(".");
        assertThat(request.metadata()).isEqualTo(json("{\"k\": 1}"));
        assertThat(request.modelPreferences().hints())
                .extracting("name")
                .containsExactly("claude", "gpt");
        assertThat(request.modelPreferences().costPriority()).isEqualTo(0.1);
    }

    @Test
    @Requirement({"SAMP-011", "ERR-025"})
    void whatThePersonRejectsIsTheErrorMinusOne() throws Exception {
        connect(
                McpClient.named("desk", "1")
                        .onSample(
                                request -> {
                                    throw new UserRejectedException();
                                }));
        assertThat(sample(HELLO).get("error"))
                .isEqualTo(JsonObject.of("code", -1, "message", "User rejected sampling request"));
    }

    @Test
    @Requirement({"SAMP-016", "SAMP-020", "N26-SAMP-007"})
    void aReviewChangesRequestAndAnswer() throws Exception {
        connect(
                model().reviewSamples(
                                new SampleReview() {
                                    @Override
                                    public CreateMessageRequest reviewRequest(
                                            CreateMessageRequest request) {
                                        return request.withSystemPrompt("Say no secrets");
                                    }

                                    @Override
                                    public CreateMessageResult reviewResult(
                                            CreateMessageRequest request,
                                            CreateMessageResult result) {
                                        return CreateMessageResult.text(
                                                result.model(),
                                                request.systemPrompt() + ": " + result.text());
                                    }
                                }));
        assertThat(sample(HELLO).object("result").object("content").string("text"))
                .isEqualTo("Say no secrets: Hi");
        assertThat(asked.get(0).systemPrompt()).isEqualTo("Say no secrets");
    }

    @Test
    @Requirement({"SAMP-020", "N26-SAMP-007"})
    void aReviewCanDenyTheRequestBeforeAnyModelSeesIt() throws Exception {
        connect(
                model().reviewSamples(
                                new SampleReview() {
                                    @Override
                                    public CreateMessageRequest reviewRequest(
                                            CreateMessageRequest request) {
                                        throw new UserRejectedException("Not today");
                                    }
                                }));
        assertThat(sample(HELLO).object("error").string("message")).isEqualTo("Not today");
        assertThat(asked).isEmpty();
    }

    @Test
    @Requirement("SAMP-020")
    void aReviewCanDenyTheAnswer() throws Exception {
        connect(
                model().reviewSamples(
                                new SampleReview() {
                                    @Override
                                    public CreateMessageResult reviewResult(
                                            CreateMessageRequest request,
                                            CreateMessageResult result) {
                                        throw new UserRejectedException();
                                    }
                                }));
        assertThat(sample(HELLO).object("error").integer("code")).isEqualTo(-1);
    }

    private static final String WITH_TOOLS =
            """
            {"messages": [], "maxTokens": 5, "tools": [{"name": "t", "inputSchema": {"type": "object"}}],
             "toolChoice": {"mode": "required"}}\
            """;

    @Test
    @Requirement({"SAMP-003", "ROOM-067"})
    void toolsAreRefusedUnlessDeclared() throws Exception {
        connect(model());
        assertRefused(WITH_TOOLS, -32602);
        assertRefused(
                "{\"messages\": [], \"maxTokens\": 5, \"toolChoice\": {\"mode\": \"none\"}}",
                -32602);
    }

    @Test
    @Requirement({"SAMP-001", "SAMP-012"})
    void declaredToolsReachTheModel() throws Exception {
        connect(model().sampleTools());
        sample(WITH_TOOLS);
        assertThat(asked.get(0).tools()).extracting("name").containsExactly("t");
        assertThat(asked.get(0).toolChoice()).isNotNull();
    }

    @ParameterizedTest
    @Requirement({"SAMP-008", "SAMP-009", "SAMP-010", "SAMP-011", "SAMP-021", "ERR-019"})
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    result mixed with text    | [A USE 1], [U RESULT 1, TEXT]
                    result missing            | [A USE 1], [U TEXT]
                    one of two missing        | [A USE 1, USE 2], [U RESULT 1]
                    result of another use     | [A USE 1], [U RESULT 2]
                    result without a use      | [U RESULT 1]
                    use at the end            | [U TEXT], [A USE 1]
                    result by the assistant   | [A USE 1], [A RESULT 1]
                    """)
    void aConversationThatDoesNotPairUsesAndResultsIsRefused(String name, String messages)
            throws Exception {
        connect(model().sampleTools());
        assertRefused(conversation(messages), -32602);
    }

    @Test
    @Requirement({"SAMP-007", "SAMP-009", "SAMP-014"})
    void aConversationThatPairsThemReachesTheModelWithItsMeta() throws Exception {
        connect(model().sampleTools());
        sample(conversation("[U TEXT], [A TEXT, USE 1, USE 2], [U RESULT 2, RESULT 1], [A TEXT]"));
        assertThat(asked.get(0).messages()).hasSize(4);
        assertThat(asked.get(0).messages().get(2).content().get(0).toString())
                .contains("com.example/cache");
    }

    private static String conversation(String messages) {
        String json =
                messages.replace("TEXT", "{'type': 'text', 'text': 'x'}")
                        .replaceAll(
                                "USE (\\d)",
                                "{'type': 'tool_use', 'id': '$1', 'name': 't', 'input': {}}")
                        .replaceAll(
                                "RESULT (\\d)",
                                "{'type': 'tool_result', 'toolUseId': '$1', 'content': [], '_meta':"
                                        + " {'com.example/cache': 1}}")
                        .replaceAll("\\[U ", "{'role': 'user', 'content': [")
                        .replaceAll("\\[A ", "{'role': 'assistant', 'content': [")
                        .replaceAll("](, \\{'role|$)", "]}$1")
                        .replace('\'', '"');
        return "{\"messages\": [" + json + "], \"maxTokens\": 5}";
    }

    @Test
    @Requirement("ERR-005")
    void withoutAModelTheMethodIsUnknown() throws Exception {
        connect(McpClient.named("desk", "1"));
        assertRefused(HELLO, -32601);
    }

    @Test
    @Requirement("VERS-008")
    void anOlderRevisionGetsAnAnswerOfOneBlock() throws Exception {
        server.greet("2025-06-18", "{}");
        connect(
                McpClient.named("desk", "1")
                        .onSample(
                                request -> {
                                    CreateMessageResult one =
                                            CreateMessageResult.text("small", "Hi");
                                    return new CreateMessageResult(
                                            one.role(),
                                            List.of(one.content().get(0), one.content().get(0)),
                                            "small");
                                }));
        assertThat(sample(HELLO).object("result").object("content").string("type"))
                .isEqualTo("text");
    }
}
