package dev.fairlead.client;

import static dev.fairlead.client.FakeServer.json;
import static dev.fairlead.client.FakeServer.withoutToken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.link.ToolDefinitions;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.content.Content;
import dev.fairlead.protocol.content.ImageContent;
import dev.fairlead.protocol.content.TextContent;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;

/** Tools bound to types, and the check of their results. */
final class TypedToolTest {
    record Query(String city, int days) {}

    record Forecast(String city, List<Integer> highs) {}

    private static final String FORECAST_TOOL =
            """
            {"tools": [{"name": "forecast", "inputSchema": {"type": "object"},
              "outputSchema": {"type": "object", "required": ["city"],
                               "properties": {"city": {"type": "string"}, "highs": {"type": "array"}}}}]}\
            """;

    private final FakeServer server = new FakeServer();
    private final AtomicInteger lists = new AtomicInteger();
    private McpClient client;

    @BeforeEach
    void connect() throws Exception {
        client = McpClient.connect(server);
        define(FORECAST_TOOL);
    }

    @AfterEach
    void close() {
        client.close();
    }

    private void define(String tools) {
        server.on(
                "tools/list",
                params -> {
                    lists.incrementAndGet();
                    return tools;
                });
    }

    private void give(String result) {
        server.on("tools/call", result);
    }

    private RemoteTool<Query, Forecast> forecast() {
        return client.tool("forecast", Query.class, Forecast.class);
    }

    private static final String SEOUL =
            "{\"content\": [], \"structuredContent\": {\"city\": \"Seoul\", \"highs\": [21, 23]}}";

    @Test
    @Requirement({"TOOL-003", "TOOL-013", "TOOL-016"})
    void aRecordGoesInAndARecordComesOut() throws Exception {
        JsonObject[] sent = new JsonObject[1];
        server.on(
                "tools/call",
                params -> {
                    sent[0] = withoutToken(params);
                    return SEOUL;
                });
        assertThat(forecast().call(new Query("Seoul", 2)))
                .isEqualTo(new Forecast("Seoul", List.of(21, 23)));
        assertThat(sent[0])
                .isEqualTo(
                        json(
                                "{\"name\": \"forecast\", \"arguments\": {\"city\": \"Seoul\","
                                        + " \"days\": 2}}"));
    }

    @Test
    @Requirement({"TOOL-017", "ROOM-065"})
    void aFailureOfTheToolIsAnExceptionWithTheWholeResult() {
        give(
                "{\"content\": [{\"type\": \"text\", \"text\": \"no station in Atlantis\"}],"
                        + " \"isError\": true}");
        assertThatThrownBy(() -> forecast().call(new Query("Atlantis", 1)))
                .hasMessage("no station in Atlantis")
                .isInstanceOfSatisfying(
                        ToolFailedException.class,
                        e -> assertThat(e.result().content()).hasSize(1));
    }

    @Test
    @Requirement({"TOOL-016", "ROOM-065"})
    void contentThatBreaksTheOutputSchemaIsRefused() {
        give("{\"content\": [], \"structuredContent\": {\"highs\": 7}}");
        assertThatThrownBy(() -> forecast().call(new Query("Seoul", 2)))
                .isInstanceOf(InvalidResultException.class)
                .hasMessageStartingWith("The result of tool forecast breaks its output schema: ")
                .hasMessageContaining("city");
    }

    @Test
    @Requirement({"TOOL-016", "ROOM-065"})
    void aResultWithoutStructuredContentIsRefusedWhereASchemaPromisesIt() {
        give("{\"content\": [{\"type\": \"text\", \"text\": \"sunny\"}]}");
        assertThatThrownBy(() -> forecast().call(new Query("Seoul", 2)))
                .isInstanceOf(InvalidResultException.class)
                .hasMessage(
                        "The result of tool forecast has no structured content, but the tool has an"
                                + " output schema");
    }

    @Test
    @Requirement("TOOL-016")
    void aRawCallIsCheckedOnceTheDefinitionIsKnown() throws Exception {
        give("{\"content\": [], \"structuredContent\": {}}");
        client.callTool("forecast", JsonObject.EMPTY);
        client.tools();
        assertThatThrownBy(() -> client.callTool("forecast", JsonObject.EMPTY))
                .isInstanceOf(InvalidResultException.class);
    }

    @Test
    @Requirement("TOOL-016")
    void aLenientClientLetsWrongContentPass() throws Exception {
        give("{\"content\": [], \"structuredContent\": {}}");
        try (McpClient lenient =
                McpClient.named("desk", "1").allowInvalidStructuredContent().connect(server)) {
            lenient.tools();
            assertThat(lenient.callTool("forecast", JsonObject.EMPTY).structuredContent())
                    .isEqualTo(JsonObject.EMPTY);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"$schema\": \"https://example.com/own\", \"type\": \"object\"}",
                "{\"properties\": {\"city\": {\"$ref\": \"#/$defs/City\"}}}",
                "{\"properties\": {\"city\": {\"type\": \"list\"}}}",
                "{\"$ref\": \"#\"}",
                "{\"$defs\": {\"a\": {\"$ref\": \"#/$defs/b\"}, \"b\": {\"allOf\": [{\"$ref\":"
                        + " \"#/$defs/a\"}]}}, \"properties\": {\"city\": {\"$ref\":"
                        + " \"#/$defs/a\"}}}"
            })
    @Requirement({"JSON-006", "ROOM-081"})
    void aSchemaThatCannotBeUsedIsNamedOnceAndTheResultIsNotChecked(String schema)
            throws Exception {
        define(
                """
                {"tools": [{"name": "forecast", "inputSchema": {"type": "object"},
                  "outputSchema": %s}]}\
                """
                        .formatted(schema));
        give(SEOUL);
        try (Logged log = new Logged(ToolDefinitions.class.getName(), Level.WARNING)) {
            for (int i = 0; i < 3; i++) {
                assertThat(forecast().call(new Query("Seoul", 2)).city()).isEqualTo("Seoul");
            }
            assertThat(log.lines())
                    .filteredOn(line -> line.startsWith("WARNING"))
                    .singleElement()
                    .asString()
                    .contains(
                            "The result of tool forecast is not checked against its output"
                                    + " schema: ");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "1e2000; must not have a number with an exponent beyond 1000",
                "long; takes too much effort to check against its schema"
            })
    @Requirement("ROOM-081")
    void aResultThatCannotBeCheckedIsNotWrong(String x, String limit) throws Exception {
        define(
                """
                {"tools": [{"name": "forecast", "inputSchema": {"type": "object"},
                  "outputSchema": {"properties": {"x": {"pattern": "^(.*a){25}$"}}}}]}\
                """);
        JsonObject content =
                x.equals("long")
                        ? JsonObject.of("x", "a".repeat(5000) + "!")
                        : json("{\"x\": " + x + "}");
        give(JsonObject.of("content", List.of(), "structuredContent", content).toJson());
        client.tools();
        try (Logged log = new Logged(ToolDefinitions.class.getName(), Level.WARNING)) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.callTool("forecast", JsonObject.EMPTY).structuredContent())
                        .isEqualTo(content);
            }
            assertThat(log.lines())
                    .filteredOn(line -> line.startsWith("WARNING"))
                    .singleElement()
                    .asString()
                    .contains(
                            "The result of tool forecast is not checked against its output schema:"
                                    + " the value "
                                    + limit);
        }
    }

    @Test
    void anEmptySchemaAsksForNoStructuredContent() throws Exception {
        define(
                """
                {"tools": [{"name": "forecast", "inputSchema": {"type": "object"},
                  "outputSchema": []}]}\
                """);
        give("{\"content\": []}");
        assertThat(client.callTool("forecast", JsonObject.EMPTY).content()).isEmpty();
    }

    /** A server that breaks its schema on purpose gains no value of another type by it. */
    @Test
    void aTypedCallBindsToItsTypeWhateverTheSchema() {
        define(
                """
                {"tools": [{"name": "forecast", "inputSchema": {"type": "object"},
                  "outputSchema": {"$ref": "#/$defs/None"}}]}\
                """);
        give("{\"content\": [], \"structuredContent\": {\"city\": {\"$\": 1}, \"highs\": []}}");
        assertThatThrownBy(() -> forecast().call(new Query("Seoul", 2)))
                .isInstanceOf(InvalidResultException.class)
                .hasMessageStartingWith("The result of tool forecast is not of the type asked for");
    }

    @Test
    void definitionsBeyondTheLimitsOfListsLeaveTheCallUnchecked() throws Exception {
        give(SEOUL);
        try (McpClient small = McpClient.named("desk", "1").listLimits(1, 1).connect(server)) {
            define(
                    """
                    {"tools": [{"name": "a", "inputSchema": {"type": "object"}},
                     {"name": "b", "inputSchema": {"type": "object"}}]}\
                    """);
            RemoteTool<Query, Forecast> tool = small.tool("forecast", Query.class, Forecast.class);
            assertThat(tool.call(new Query("Seoul", 2)).city()).isEqualTo("Seoul");
        }
    }

    @Test
    void definitionsAreReadOnceAndAgainAfterAChange() throws Exception {
        CountDownLatch changeWasReceived = new CountDownLatch(1);
        give(SEOUL);
        try (McpClient listening =
                McpClient.named("desk", "1")
                        .onNotification(
                                "com.example/after", params -> changeWasReceived.countDown())
                        .connect(server)) {
            RemoteTool<Query, Forecast> tool =
                    listening.tool("forecast", Query.class, Forecast.class);
            tool.call(new Query("Seoul", 2));
            tool.call(new Query("Seoul", 2));
            listening.tool("unknown", Query.class, CallToolResult.class).call(new Query("x", 1));
            assertThat(lists).hasValue(1);
            server.notifyClient("notifications/tools/list_changed", "{}");
            server.notifyClient("com.example/after", "{}"); // notifications are delivered in order
            assertThat(changeWasReceived.await(30, TimeUnit.SECONDS)).isTrue();
            tool.call(new Query("Seoul", 2));
            tool.call(new Query("Seoul", 2));
            assertThat(lists).hasValue(2);
        }
    }

    @Test
    void definitionsThatWereUnderWayDuringAChangeAreNotKept() throws Exception {
        CountDownLatch changeWasReceived = new CountDownLatch(1);
        give(SEOUL);
        server.keep("tools/list");
        try (McpClient listening =
                McpClient.named("desk", "1")
                        .onNotification(
                                "com.example/after", params -> changeWasReceived.countDown())
                        .connect(server)) {
            RemoteTool<Query, Forecast> tool =
                    listening.tool("forecast", Query.class, Forecast.class);
            Background<Forecast> calling = Background.call(() -> tool.call(new Query("Seoul", 2)));
            JsonObject list = server.next("tools/list");
            server.notifyClient("notifications/tools/list_changed", "{}");
            server.notifyClient("com.example/after", "{}"); // notifications are delivered in order
            assertThat(changeWasReceived.await(30, TimeUnit.SECONDS)).isTrue();
            server.answer(list, FORECAST_TOOL);
            calling.result();
            define(FORECAST_TOOL);
            tool.call(new Query("Seoul", 2));
            assertThat(lists).hasValue(1);
        }
    }

    @Test
    void textContentAndResultsComeAsTheyAre() throws Exception {
        give("{\"content\": [{\"type\": \"text\", \"text\": \"hi\"}]}");
        assertThat(client.tool("t", Query.class, String.class).call(new Query("x", 1)))
                .isEqualTo("hi");
        assertThat(client.tool("t", Query.class, TextContent.class).call(new Query("x", 1)).text())
                .isEqualTo("hi");
        assertThat(client.tool("t", Query.class, Content.class).call(new Query("x", 1)))
                .isInstanceOf(TextContent.class);
        assertThat(
                        client.tool("t", Query.class, CallToolResult.class)
                                .call(new Query("x", 1))
                                .content())
                .hasSize(1);
        assertThatThrownBy(
                        () ->
                                client.tool("t", Query.class, ImageContent.class)
                                        .call(new Query("x", 1)))
                .isInstanceOf(InvalidResultException.class)
                .hasMessage("The result of tool t is not one block of ImageContent");
    }

    @Test
    void aValueThatIsNoObjectComesOutOfItsWrapping() throws Exception {
        give("{\"content\": [], \"structuredContent\": {\"result\": [\"a\", \"b\"]}}");
        assertThat(
                        client.tool("t", JsonObject.class, new TypeRef<List<String>>() {})
                                .call(JsonObject.EMPTY))
                .containsExactly("a", "b");
        give("{\"content\": [], \"structuredContent\": {\"result\": 5}}");
        assertThat(client.tool("t", JsonObject.class, Integer.class).call(JsonObject.EMPTY))
                .isEqualTo(5);
    }

    /** A tool of another library, whose result is an object that looks like a wrapping. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",'outputSchema':{'type':'object'}",
                ",'outputSchema':{'type':'object','properties':{'result':{}},'required':['result']}",
                ",'outputSchema':{'type':'object','properties':{'result':{}},'required':['result'],"
                        + "'additionalProperties':false,"
                        + "'$schema':'http://json-schema.org/draft-07/schema#'}",
                ",'outputSchema':{'type':'object','anyOf':[{},{}]}",
                ",'outputSchema':[]",
            })
    void anObjectThatNoToolDeclaresAsWrappingStaysWhole(String schema) throws Exception {
        define(
                "{\"tools\": [{\"name\": \"t\", \"inputSchema\": {\"type\": \"object\"}"
                        + schema.replace('\'', '"')
                        + "}]}");
        give("{\"content\": [], \"structuredContent\": {\"result\": 1}}");

        assertThat(client.tool("t", JsonObject.class, JsonValue.class).call(JsonObject.EMPTY))
                .isEqualTo(json("{\"result\": 1}"));
    }

    @Test
    void theMarkOfAnotherLibraryDeclaresAWrapping() throws Exception {
        define(
                "{\"tools\": [{\"name\": \"t\", \"inputSchema\": {\"type\": \"object\"},"
                        + " \"outputSchema\": {\"type\": \"object\", \"properties\": {\"result\":"
                        + " {\"title\": \"Result\"}}, \"x-fastmcp-wrap-result\": true}}]}");
        give("{\"content\": [], \"structuredContent\": {\"result\": 1}}");

        assertThat(client.tool("t", JsonObject.class, JsonValue.class).call(JsonObject.EMPTY))
                .isEqualTo(JsonValue.parse("1"));
    }

    @Test
    @Requirement("VERS-009")
    void jsonThatComesOnlyAsTextIsReadFromIt() throws Exception {
        server.greet("2025-03-26", FakeServer.ALL_CAPABILITIES);
        give(
                "{\"content\": [{\"type\": \"text\", \"text\": \"{\\\"city\\\": \\\"Oslo\\\","
                        + " \\\"highs\\\": []}\"}]}");
        define("{\"tools\": []}");
        try (McpClient old = McpClient.connect(server)) {
            assertThat(old.tool("forecast", Query.class, Forecast.class).call(new Query("Oslo", 1)))
                    .isEqualTo(new Forecast("Oslo", List.of()));
        }
    }

    @Test
    @Requirement({"VERS-002", "VERS-009"})
    void anOutputSchemaOfARevisionThatHasNoneIsNotHeldAgainstTheServer() throws Exception {
        server.greet("2025-03-26", FakeServer.ALL_CAPABILITIES);
        give("{\"content\": []}");
        try (McpClient old = McpClient.connect(server)) {
            old.tools();
            assertThat(old.callTool("forecast", JsonObject.EMPTY).structuredContent()).isNull();
        }
    }

    @Test
    void aResultThatIsNotOfTheTypeNamesTheTool() {
        define("{\"tools\": []}");
        give("{\"content\": [], \"structuredContent\": {\"city\": 3, \"highs\": []}}");
        assertThatThrownBy(() -> forecast().call(new Query("Seoul", 2)))
                .isInstanceOf(InvalidResultException.class)
                .hasMessageStartingWith(
                        "The result of tool forecast is not of the type asked for: ")
                .hasMessageContaining("city");
    }

    @Test
    void aToolWithoutStructuredContentCannotGiveARecord() {
        define("{\"tools\": []}");
        give("{\"content\": [{\"type\": \"text\", \"text\": \"sunny\"}]}");
        assertThatThrownBy(() -> forecast().call(new Query("Seoul", 2)))
                .isInstanceOf(InvalidResultException.class)
                .hasMessage("The result of tool forecast has no structured content");
    }

    /** A text is one value of its message, however many are in it. */
    @Test
    void jsonThatComesAsTextHasNoMoreValuesThanAMessage() {
        define("{\"tools\": []}");
        String text = "[" + "0,".repeat(1_000_000) + "0]";
        give("{\"content\": [{\"type\": \"text\", \"text\": \"" + text + "\"}]}");
        RemoteTool<JsonObject, List<Integer>> tool =
                client.tool("t", JsonObject.class, new TypeRef<List<Integer>>() {});
        assertThatThrownBy(() -> tool.call(JsonObject.EMPTY))
                .isInstanceOf(InvalidResultException.class)
                .hasRootCauseMessage("the text has more than 1000000 values");
    }
}
