package dev.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.link.ToolDefinitions;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.headers.ParameterHeaders;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.FreshLog;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.stream.IntStream;

/** Cached tools whose annotations of headers break the rules. */
final class ToolDefinitionsTest {
    private final ToolDefinitions tools = new ToolDefinitions("", false, 10, 256 << 10);

    private static Tool tool(String name, String type) {
        return new Tool(
                name,
                FakeServer.json(
                        """
                        {"type": "object", "properties":
                         {"a": {"type": "%s", "x-mcp-header": "A"}}}\
                        """
                                .formatted(type)));
    }

    @Test
    @Requirement("N26-HDR-011")
    void aToolIsLeftOutWithOneWarningUntilItsDefinitionChanges() {
        Tool fine = tool("fine", "string");
        Tool broken = tool("broken", "array");
        try (Logged log = new Logged("dev.fairlead.client.link.ToolDefinitions", Level.WARNING)) {
            for (int i = 0; i < 3; i++) {
                assertThat(tools.withUsableHeaders(List.of(fine, broken))).containsExactly(fine);
            }
            tools.forget(); // the list has changed, the tool has not
            tools.withUsableHeaders(List.of(broken));
            assertThat(warnings(log)).hasSize(1);

            FreshLog.forget();
            tools.withUsableHeaders(List.of(tool("broken", "object"), tool("other", "array")));
            assertThat(warnings(log)).as("one for all in a minute").hasSize(2);
        }
    }

    private static Tool withProperty(String name, String property) {
        return new Tool(
                name,
                FakeServer.json(
                        """
                        {"type": "object", "properties": {"a": %s},
                         "$defs": {"x": {"type": "string"}}}\
                        """
                                .formatted(property)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type': 'string', 'x-mcp-header': ''}",
                "{'type': 'string', 'x-mcp-header': 7}",
                "{'type': 'string', 'x-mcp-header': 'a b'}",
                "{'type': 'string', 'x-mcp-header': 'a:'}",
                "{'type': 'string', 'x-mcp-header': 'a\\r\\nb'}",
                "{'type': 'string', 'x-mcp-header': 'ü'}",
                "{'type': 'number', 'x-mcp-header': 'b'}",
                "{'type': 'object', 'x-mcp-header': 'b'}",
                "{'type': ['string', 'null'], 'x-mcp-header': 'b'}",
                "{'$ref': '#/$defs/x', 'x-mcp-header': 'b'}",
                "{'items': {'type': 'string', 'x-mcp-header': 'b'}}",
                "{'anyOf': [true, {'type': 'string', 'x-mcp-header': 'b'}]}",
                "{'if': {'properties': {'b': {'type': 'string', 'x-mcp-header': 'b'}}}}",
                "{'type': 'object', 'properties': {'b': {'type': 'string', 'x-mcp-header': 'B'},"
                        + " 'c': {'type': 'string', 'x-mcp-header': 'b'}}}"
            })
    @Requirement("N26-HDR-010")
    void aToolWhoseAnnotationBreaksARuleIsLeftOut(String property) {
        Tool broken = withProperty("broken", property.replace('\'', '"'));
        assertThat(tools.withUsableHeaders(List.of(broken))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type': 'string', 'x-mcp-header': 'B-c_1!'}",
                "{'type': 'integer', 'x-mcp-header': 'b'}",
                "{'type': 'boolean', 'x-mcp-header': 'b'}",
                "{'type': 'object', 'properties': {'b': {'type': 'string', 'x-mcp-header': 'b'}}}",
                "{'type': 'number'}"
            })
    @Requirement("N26-HDR-010")
    void aToolWhoseAnnotationsKeepTheRulesIsUsed(String property) {
        Tool fine = withProperty("fine", property.replace('\'', '"'));
        assertThat(tools.withUsableHeaders(List.of(fine))).containsExactly(fine);
    }

    private static Tool withProperties(String name, int count, JsonObject property) {
        Map<String, JsonValue> properties = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            JsonValue header = JsonValue.of("h" + i);
            properties.put(
                    "p" + i, property.isEmpty() ? property : property.with("x-mcp-header", header));
        }
        JsonObject named =
                JsonObject.of(
                        "properties",
                        JsonObject.of(
                                name, JsonObject.of("properties", new JsonObject(properties))));
        return new Tool("many", named.with("type", JsonValue.of("object")));
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aLongNameWithManyPropertiesIsReadInLinearTime() {
        Tool tool = withProperties("x".repeat(8 << 20), 100_000, JsonObject.EMPTY);

        assertThat(tools.withUsableHeaders(List.of(tool))).containsExactly(tool);
        tools.remember(List.of(tool), tools.version(), true);
        assertThat(tools.isKnown("many")).isTrue();
    }

    @Test
    void aMessageContainsTheStartOfALongPlace() {
        Tool broken =
                withProperties("x".repeat(1_000), 2, JsonObject.of("type", JsonValue.of("array")));
        assertThatThrownBy(() -> ParameterHeaders.of(broken))
                .hasMessage(
                        "the x-mcp-header of the tool many at #/properties/"
                                + "x".repeat(500 - "#/properties/".length())
                                + "… needs the type string, integer or boolean but the type was"
                                + " \"array\"");
    }

    @Test
    void aToolWithMoreHeadersThanAnyServerTakesIsLeftOut() {
        JsonObject property = JsonObject.of("type", JsonValue.of("string"));
        Tool most = withProperties("a", 1_000, property);
        Tool more = withProperties("a", 1_001, property);

        assertThat(tools.withUsableHeaders(List.of(most, more))).containsExactly(most);
        assertThatThrownBy(() -> ParameterHeaders.of(more))
                .hasMessage(
                        "the x-mcp-header of the tool many at #/properties/a/properties/p1000"
                                + " must not be one of more than 1000");
    }

    private static Tool large(int number) {
        JsonObject schema = JsonObject.of("type", "object", "title", "x".repeat(200 << 10));
        return tool("large-" + number, "string").withOutputSchema(schema);
    }

    @Test
    void theOldestOutputSchemasAreForgottenWhereAllAreTooLarge() {
        for (int i = 0; i < 8; i++) {
            tools.remember(List.of(large(i)), tools.version(), false);
            tools.remember(List.of(large(i)), tools.version(), false); // counts once
        }
        assertThat(IntStream.range(0, 8).filter(i -> tools.outputSchema("large-" + i) != null))
                .containsExactly(3, 4, 5, 6, 7);
        assertThat(tools.isKnown("large-0")).as("its headers are kept").isTrue();

        List<Tool> all = IntStream.range(0, 8).mapToObj(ToolDefinitionsTest::large).toList();
        tools.remember(all, tools.version(), true);
        assertThat(tools.isKnown("another")).as("these are all tools there are").isTrue();
    }

    @Test
    void theOldestDefinitionsAreForgottenWhereTheirNamesAreTooLarge() {
        String name = "x".repeat(200 << 10);
        List<Tool> all = IntStream.range(0, 8).mapToObj(i -> tool(name + i, "string")).toList();
        tools.remember(all, tools.version(), true);

        assertThat(IntStream.range(0, 8).filter(i -> tools.isKnown(name + i)))
                .containsExactly(6, 7);
        assertThat(tools.isKnown("another")).as("the rest is no whole list").isFalse();
    }

    private static List<String> warnings(Logged log) {
        return log.lines().stream().filter(line -> line.startsWith("WARNING")).toList();
    }
}
