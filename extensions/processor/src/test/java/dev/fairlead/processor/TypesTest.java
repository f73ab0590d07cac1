package dev.fairlead.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Types of all kinds, named by the class that is written, with reflection as the judge. */
class TypesTest {
    private static final Map<String, String> VALUES =
            Map.of(
                    "order",
                    """
                    {"no": 1, "lines": ["a", null], "ids": "x", "pay": {"by": "Card", "number": "4"},
                     "more": true}
                    """,
                    "scalars",
                    """
                    {"flag": true, "tiny": 1, "small": 2, "big": 3, "real": 0.1, "boxed": 1e3,
                     "exact": 1.10, "instant": "2026-01-31T10:15:30Z", "date": "2026-01-31",
                     "duration": "PT1H", "uri": "a:b", "bytes": "AAE=", "any": [null],
                     "uuid": "00000000-0000-0000-0000-000000000001", "object": {"a": 1}}
                    """,
                    "containers",
                    """
                    {"paces": ["FAST", "slow"], "set": ["a"], "collection": [1],
                     "map": {"slow": [1, null]}, "grid": [[1, 2], []], "ids": ["x"],
                     "numbers": [{"type": "One", "value": 1}]}
                    """,
                    "two",
                    """
                    {"left": {"type": "One", "value": 1}, "right": {"type": "Two",
                     "left": {"type": "One", "value": 2}, "right": {"type": "One", "value": 3}}}
                    """,
                    "node",
                    """
                    {"name": "a", "children": [{"name": "b", "children": []}]}
                    """,
                    "pages",
                    """
                    {"nodes": {"items": [{"name": "b", "children": []}]},
                     "texts": {"items": ["x"], "cursor": "y"}}
                    """,
                    "results",
                    """
                    {"number": {"type": "Ok", "value": 1}, "node": {"type": "Failed", "why": "no"}}
                    """);

    @TempDir static Path directory;
    private static Compiled compiled;
    private static McpServer server;
    private static McpClient client;

    @BeforeAll
    static void compile() throws Exception {
        Path order = directory.resolve("src/shared/Order.java");
        Compiled.write(order, Samples.text("shared/Order.java"));
        assertThat(Compiled.files(directory, List.of(order)).messages()).isEmpty();
        Path types = directory.resolve("src/types/Types.java");
        Compiled.write(types, Samples.text("types/Types.java"));
        // The records of the other package are class files by now.
        compiled = Compiled.files(directory, List.of(types));
        server =
                McpServer.named("types", "1")
                        .features(Samples.features(compiled, "types.Types"))
                        .build();
        client =
                McpClient.named("desk", "1") // of a session, whose results are objects
                        .revisions(Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE)
                        .connect(server.inProcess());
    }

    @AfterAll
    static void close() {
        client.close();
        server.close();
    }

    private static Tool tool(String name) throws Exception {
        return client.tools().stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Class<?> reflected(String className) throws Exception {
        return compiled.loader().loadClass(className);
    }

    @ParameterizedTest
    @CsvSource({
        "order, shared.Order",
        "scalars, types.Types$Scalars",
        "containers, types.Types$Containers",
        "two, types.Types$Two",
        "node, types.Types$Node",
        "pages, types.Types$Pages",
        "results, types.Types$Results"
    })
    void aTypeIsTheSameAsByReflection(String name, String className) throws Exception {
        Class<?> type = reflected(className);
        JsonValue value = JsonValue.parse(VALUES.get(name));

        assertThat(tool(name).outputSchema()).hasToString(JsonSchema.of(type).json().toString());
        assertThat(client.callTool(name, JsonObject.of("value", value)).structuredContent())
                .isEqualTo(roundTrip(JsonCodec.of(type), value));
    }

    private static <T> JsonValue roundTrip(JsonCodec<T> codec, JsonValue value) {
        return codec.toValue(codec.read(value));
    }

    @Test
    void theConstructorIsTheCanonicalOneAmongOthers() throws Exception {
        JsonValue value = JsonValue.parse(VALUES.get("order"));

        // The other one would refuse the null among the lines.
        assertThat(client.callTool("order", JsonObject.of("value", value)).structuredContent())
                .asString()
                .contains("\"lines\":[\"a\",null]");
    }

    @Test
    void elementsOfParametersAndResultsMayBeNull() throws Exception {
        JsonArray nodes = JsonArray.of(JsonNull.NULL);

        assertThat(client.callTool("nodes", JsonObject.of("value", nodes)).structuredContent())
                .isEqualTo(JsonObject.of("result", nodes));
    }

    @Test
    void aParameterMayHaveANameThatNoComponentHas() throws Exception {
        JsonObject arguments =
                JsonObject.of("toString", "a", "notify", 1, "wait", JsonArray.of("x", "y"));

        assertThat(client.callTool("odd", arguments).text()).isEqualTo("a12");
    }

    @Test
    void whatIsDeprecatedIsUsedWithoutAWarning() {
        assertThat(compiled.generated("types/TypesMcp.java"))
                .contains("@SuppressWarnings({\"deprecation\", \"removal\"})");
    }
}
