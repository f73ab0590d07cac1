package dev.fairlead.server;

import static dev.fairlead.server.Peer.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.Default;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.Range;
import dev.fairlead.server.tools.ToolInput;
import dev.fairlead.test.support.Logged;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;

/** Arguments that a host writes as strings. */
class TextArgumentsTest {
    record Filter(int x, @Nullable List<Integer> more) {}

    record Query(
            List<String> tags, Filter filter, @Range(min = 1, max = 10) int limit, boolean all) {}

    record Free(
            @Nullable String text,
            @Nullable JsonValue json,
            @Nullable Object any,
            @Nullable JsonObject object,
            @Nullable Map<String, Integer> map) {}

    enum Color {
        RED
    }

    record Unset(
            @Nullable Boolean active,
            Optional<Integer> count,
            @Default("3") int days,
            @Nullable Color color,
            Optional<LocalDate> date,
            @Nullable List<String> tags,
            @Default("x") String note) {}

    private static final String STRINGS =
            """
            {"tags": "[\\"a\\"]", "filter": "{\\"x\\": \\"1\\", \\"more\\": \\"[2]\\"}", "limit": "5", "all": "true"}\
            """;

    private static McpServer.Builder server() {
        return McpServer.named("s", "1")
                .tool("query", "Tests", Query.class, String.class)
                .handle((query, call) -> query.toString())
                .tool("text", "Tests", Query.class, String.class)
                .acceptTextArguments()
                .handle((query, call) -> query.toString())
                .tool("free", "Tests", Free.class, String.class)
                .handle((free, call) -> free.toString())
                .tool("unset", "Tests", Unset.class, String.class)
                .handle((unset, call) -> unset.toString());
    }

    private static String call(McpServer.Builder builder, String tool, String arguments)
            throws Exception {
        try (McpServer server = builder.build();
                Peer peer = Peer.of(server)) {
            return text(peer.callTool(tool, arguments));
        }
    }

    @Test
    void theyAreRefusedUnlessTheToolOrTheServerAcceptsThem() throws Exception {
        String read = "Query[tags=[a], filter=Filter[x=1, more=[2]], limit=5, all=true]";
        String refused =
                "Invalid arguments: tags must be an array but was a string; filter must be an"
                        + " object but was a string; limit must be an integer but was a string; all"
                        + " must be a boolean but was a string";
        assertThat(call(server(), "query", STRINGS)).isEqualTo(refused);
        assertThat(call(server(), "text", STRINGS)).isEqualTo(read);
        assertThat(call(server().acceptTextArguments(), "query", STRINGS)).isEqualTo(read);
    }

    @Test
    void theSchemaIsTheSame() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.of(server)) {
            List<JsonValue> tools = peer.call("tools/list", "{}").array("tools").elements();
            assertThat(((JsonObject) tools.get(0)).get("inputSchema"))
                    .isEqualTo(((JsonObject) tools.get(1)).get("inputSchema"));
        }
    }

    /** The string "5" may be an id, and "null" a word. */
    @Test
    void whatMayBeAStringIsNotConverted() throws Exception {
        String arguments =
                """
                {"text": "{}", "json": "[1]", "any": "5", "object": "{\\"a\\": 1}", "map": "{\\"b\\": \\"2\\"}"}\
                """;
        assertThat(call(server().acceptTextArguments(), "free", arguments))
                .isEqualTo("Free[text={}, json=\"[1]\", any=\"5\", object={\"a\":1}, map={b=2}]");
    }

    @Test
    void anEmptyTextIsAbsentWhereItIsNoValue() throws Exception {
        String arguments =
                """
                {"active": "", "count": "", "days": "", "color": "", "date": "", "tags": "", "note": ""}\
                """;
        assertThat(call(server().acceptTextArguments(), "unset", arguments))
                .isEqualTo(
                        "Unset[active=null, count=Optional.empty, days=3, color=null,"
                                + " date=Optional.empty, tags=null, note=]");
        assertThat(call(server(), "unset", "{\"active\": \"\"}"))
                .isEqualTo("Invalid arguments: active must be a boolean but was a string");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"tags\": \"[\\\"a\\\"]\" | \"tags\": \"[1]\" | tags must be an array",
                "\"tags\": \"[\\\"a\\\"]\" | \"tags\": \"[\\\"a\\\"] x\" | tags must be an array",
                "\"tags\": \"[\\\"a\\\"]\" | \"tags\": \"\" | tags must be an array",
                "\"tags\": \"[\\\"a\\\"]\" | \"tags\": \"\\\"[]\\\"\" | tags must be an array",
                "\"limit\": \"5\" | \"limit\": \"99\" | limit must be an integer but was a string",
                "\"limit\": \"5\" | \"limit\": \"\" | limit must be an integer but was a string",
                "\\\"x\\\": \\\"1\\\" | \\\"y\\\": 1 | filter must be an object but was a string",
                "\\\"x\\\": \\\"1\\\" | \\\"x\\\": 1, \\\"x\\\": 2 | filter must be an object"
            })
    void theErrorsAreThoseOfTheArgumentsAsTheyCame(String from, String to, String error)
            throws Exception {
        String arguments = STRINGS.replace(from, to);
        assertThat(arguments).isNotEqualTo(STRINGS);
        assertThat(call(server(), "text", arguments))
                .contains(error)
                .isEqualTo(call(server(), "query", arguments));
    }

    @Test
    void theLogNamesTheOptionWhereItWouldHelp() throws Exception {
        try (Logged log = new Logged(ToolInput.class.getName(), Level.FINE)) {
            call(server(), "query", STRINGS);
            call(server(), "query", STRINGS.replace("\"5\"", "\"99\""));
            call(server(), "text", STRINGS);
            assertThat(log.lines())
                    .containsExactly(
                            "FINE The arguments of query are strings that contain their JSON; to"
                                    + " accept them, call acceptTextArguments() on the tool or the"
                                    + " server");
        }
    }
}
