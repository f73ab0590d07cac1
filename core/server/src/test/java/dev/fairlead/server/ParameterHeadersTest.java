package dev.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonAlways;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Header;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.requirements.Requirement;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/** The declaration of tools whose arguments are repeated by headers. */
@Requirement({"N26-HDR-010", "N26-HDR-012"})
class ParameterHeadersTest {
    record Twice(@Header("Region") String from, @Header("REGION") String to) {}

    record Blank(@Header("") String region) {}

    record Spaced(@Header("Re gion") String region) {}

    record OrNull(@Header("Region") @JsonAlways @Nullable String region) {}

    record Place(@Header("Region") String region) {}

    record InList(List<Place> places) {}

    record Node(@Header("Name") String name, @Nullable Next next) {}

    record Next(@Header("Way") String way, @Nullable Next next) {}

    record Nested(@Header("Id") long id, Place place) {}

    private static Tool raw(String properties, String more) {
        return Tool.builder(
                        "go",
                        "Goes somewhere",
                        JsonSchema.parse(
                                "{\"type\": \"object\", \"properties\": {%s}%s}"
                                        .formatted(properties, more)))
                .build();
    }

    private static void declare(Features<?> features, Tool tool) {
        features.tool(tool).handle((request, call) -> CallToolResult.text("gone"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    "x-mcp-header": 7               | #/properties/a must be a string but was 7
                    "x-mcp-header": null            | #/properties/a must be a string but was null
                    "x-mcp-header": ""              | #/properties/a must not be empty
                    "x-mcp-header": "a b"           | #/properties/a must be a token of RFC 9110 but was "a b"
                    "x-mcp-header": "a:"            | #/properties/a must be a token of RFC 9110 but was "a:"
                    "x-mcp-header": "a\\r\\nb"      | #/properties/a must be a token of RFC 9110 but was "a\\r\\nb"
                    "x-mcp-header": "a\\n"          | #/properties/a must be a token of RFC 9110 but was "a\\n"
                    "x-mcp-header": "ü"             | #/properties/a must be a token of RFC 9110 but was "ü"
                    "x-mcp-header": "b", "type": "number" | but the type was "number"
                    "x-mcp-header": "b", "type": "array"  | but the type was "array"
                    "x-mcp-header": "b", "type": "object" | but the type was "object"
                    "x-mcp-header": "b", "type": "null"   | but the type was "null"
                    "x-mcp-header": "b", "type": ["string", "null"] | but the type was ["string","null"]
                    "x-mcp-header": "b", "$ref": "#/$defs/x"        | but the type was missing
                    "type": "object", "properties": {"b": {"x-mcp-header": 1}} | #/properties/a/properties/b must be
                    "items": {"type": "string", "x-mcp-header": "b"}         | #/properties/a/items must be on a property
                    "items": [{"type": "string", "x-mcp-header": "b"}]       | #/properties/a/items/0 must be on
                    "anyOf": [true, {"type": "string", "x-mcp-header": "b"}] | #/properties/a/anyOf/1 must be on
                    "not": {"properties": {"b": {"type": "string", "x-mcp-header": "b"}}} | #/properties/a/not/properties/b
                    "additionalProperties": {"type": "string", "x-mcp-header": "b"} | #/properties/a/additionalProperties
                    """)
    void thatBreaksARuleIsRefused(String keywords, String message) {
        String type =
                keywords.contains("\"type\"") || keywords.contains("$ref")
                        ? ""
                        : "\"type\": \"string\", ";
        String draft =
                keywords.startsWith("\"items\": [")
                        ? ", \"$schema\": \"http://json-schema.org/draft-07/schema#\""
                        : "";
        Tool tool =
                raw(
                        "\"a\": {" + type + keywords + "}",
                        draft + ", \"$defs\": {\"x\": {\"type\": \"string\"}}");
        assertThatThrownBy(() -> declare(McpServer.named("s", "1"), tool))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the x-mcp-header of the tool go at #/")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    "x-mcp-header": "b"                                         | # must be on a property
                    "$defs": {"x": {"type": "string", "x-mcp-header": "b"}}     | #/$defs/x must be on
                    "patternProperties": {"x": {"type": "string", "x-mcp-header": "b"}} | #/patternProperties/x must
                    "if": {"properties": {"b": {"type": "string", "x-mcp-header": "b"}}} | #/if/properties/b must
                    "dependentSchemas": {"x": {"x-mcp-header": "b"}}            | #/dependentSchemas/x must
                    """)
    void thatIsOnNoPropertyIsRefused(String keywords, String message) {
        Tool tool = raw("", ", " + keywords);
        assertThatThrownBy(() -> declare(McpServer.named("s", "1"), tool))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tool go at " + message);
    }

    @Test
    void aRecordIsJudgedByItsSchema() {
        assertThatThrownBy(() -> typed(Twice.class))
                .hasMessage(
                        "the x-mcp-header of the tool go at #/properties/to must not have the name"
                                + " of the one at #/properties/from");
        assertThatThrownBy(() -> typed(Blank.class)).hasMessageContaining("must not be empty");
        assertThatThrownBy(() -> typed(Spaced.class)).hasMessageContaining("token of RFC 9110");
        assertThatThrownBy(() -> typed(OrNull.class))
                .hasMessageContaining("the type was [\"string\",\"null\"]");
        assertThatThrownBy(() -> typed(InList.class))
                .hasMessageContaining("#/properties/places/items/properties/region must be on");
        assertThatThrownBy(() -> typed(Node.class))
                .hasMessageContaining("#/$defs/Next/properties/way must be on");
    }

    private static void typed(Class<?> input) {
        McpServer.named("s", "1").tool("go", "Goes somewhere", input, String.class);
    }

    @Test
    void whatOnlyLooksLikeOneIsNone() {
        typed(Nested.class);
        declare(
                McpServer.named("s", "1"),
                raw(
                        """
                        "x-mcp-header": {"type": "number"},
                        "a": {"const": {"x-mcp-header": 1}, "default": {"x-mcp-header": 1}},
                        "b": {"type": "object", "properties": {"c": {"type": "boolean", "x-mcp-header": "C"}}}
                        """,
                        ", \"examples\": [{\"x-mcp-header\": 1}]"));
    }

    @Test
    void aRunningServerRefusesItToo() throws Exception {
        try (McpServer server = McpServer.named("s", "1").build();
                Peer peer = Peer.of(server)) {
            Tool broken = raw("\"a\": {\"type\": \"number\", \"x-mcp-header\": \"A\"}", "");
            assertThatThrownBy(() -> server.update(changes -> declare(changes, broken)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the tool go at #/properties/a needs the type");
            server.update(changes -> declare(changes, raw("\"a\": {\"type\": \"string\"}", "")));
            assertThat(peer.call("tools/list", "{}").array("tools").size()).isEqualTo(1);
        }
    }
}
