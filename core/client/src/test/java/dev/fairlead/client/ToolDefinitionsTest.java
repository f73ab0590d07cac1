package dev.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.link.ToolDefinitions;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.FreshLog;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.logging.Level;

/** Cached tools whose annotations of headers break the rules. */
final class ToolDefinitionsTest {
    private final ToolDefinitions tools = new ToolDefinitions("", false, 10);

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

    private static List<String> warnings(Logged log) {
        return log.lines().stream().filter(line -> line.startsWith("WARNING")).toList();
    }
}
