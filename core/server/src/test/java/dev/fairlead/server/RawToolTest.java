package dev.fairlead.server;

import static dev.fairlead.server.Peer.json;
import static dev.fairlead.server.Peer.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchemaException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.content.Content;
import dev.fairlead.protocol.engine.Omissions;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.handler.Handler;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.logging.Level;

/** Tools declared by their definition, and methods and notifications of one's own. */
class RawToolTest {
    private static final String DEFINITION =
            """
            {"name": "query", "title": "Query", "description": "Runs SQL", "x-custom": {"a": 1},
             "inputSchema": {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
                "properties": {"sql": {"type": "string", "minLength": 3}, "limit": {"$ref": "#/$defs/limit"}},
                "required": ["sql"], "$defs": {"limit": {"type": "integer", "maximum": 10}}, "x-vendor": true},
             "outputSchema": {"type": "object", "properties": {"rows": {"type": "integer"}}, "required": ["rows"]},
             "annotations": {"readOnlyHint": true, "x-hint": 1}, "_meta": {"a.example/b": 1}}\
            """;

    private static Tool definition() {
        return JsonCodec.of(Tool.class).read(json(DEFINITION));
    }

    private static McpServer server(
            Handler<dev.fairlead.protocol.tools.CallToolRequest, CallToolResult> handler) {
        return McpServer.named("s", "1").tool(definition()).handle(handler).build();
    }

    @Test
    @Requirement({"TOOL-006", "JSON-001", "JSON-003"})
    void noMemberOfADefinitionIsLost() throws Exception {
        try (McpServer server = server((request, call) -> CallToolResult.text(""));
                Peer peer = Peer.of(server)) {
            assertThat(peer.call("tools/list", "{}").array("tools").get(0))
                    .isEqualTo(json(DEFINITION));
        }
    }

    @Test
    @Requirement({"TOOL-003", "TOOL-013"})
    void argumentsArriveAsTheyAre() throws Exception {
        try (McpServer server =
                        server(
                                (request, call) ->
                                        CallToolResult.structured(
                                                JsonObject.of(
                                                        "rows",
                                                        request.arguments()
                                                                .string("sql")
                                                                .length())));
                Peer peer = Peer.of(server)) {
            JsonObject result = peer.callTool("query", "{\"sql\": \"select\", \"more\": [1]}");

            assertThat(result.object("structuredContent")).isEqualTo(json("{\"rows\": 6}"));
            assertThat(text(result)).isEqualTo("{\"rows\":6}");
        }
    }

    @Test
    @Requirement({"TOOL-028", "TOOL-021", "ROOM-063"})
    void argumentsAreCheckedAgainstTheSchema() throws Exception {
        try (McpServer server =
                        server(
                                (request, call) -> {
                                    throw new AssertionError("must not run");
                                });
                Peer peer = Peer.of(server)) {
            JsonObject result = peer.callTool("query", "{\"sql\": \"x\", \"limit\": 11}");

            assertThat(result.bool("isError")).isTrue();
            assertThat(text(result))
                    .startsWith("Invalid arguments: ")
                    .contains("sql")
                    .contains("limit");
        }
    }

    @Test
    @Requirement({"TOOL-030", "TOOL-015", "ROOM-065"})
    void aResultThatBreaksItsOutputSchemaIsAnInternalErrorUnlessItIsAnError() throws Exception {
        try (McpServer server =
                        server(
                                (request, call) ->
                                        switch (request.arguments().string("sql")) {
                                            case "none" -> CallToolResult.text("no content");
                                            case "wrong" ->
                                                    CallToolResult.structured(
                                                            JsonObject.of("rows", "six"));
                                            default -> CallToolResult.failure("syntax");
                                        });
                Peer peer = Peer.of(server)) {
            for (String sql : List.of("none", "wrong")) {
                JsonObject error =
                        peer.error(
                                "tools/call",
                                "{\"name\": \"query\", \"arguments\": {\"sql\": \"" + sql + "\"}}");
                assertThat(Peer.code(error)).isEqualTo(-32603);
            }
            assertThat(text(peer.callTool("query", "{\"sql\": \"fail\"}"))).isEqualTo("syntax");
        }
    }

    @Test
    @Requirement("ROOM-081")
    void aResultThatCannotBeCheckedIsSentAndArgumentsAreRefused() throws Exception {
        JsonObject huge = json("{\"rows\": 1e2000}");
        try (McpServer server = server((request, call) -> CallToolResult.structured(huge));
                Peer peer = Peer.of(server);
                Logged log = new Logged(Omissions.class.getName(), Level.WARNING)) {
            for (int i = 0; i < 2; i++) {
                assertThat(
                                peer.callTool("query", "{\"sql\": \"select\"}")
                                        .object("structuredContent"))
                        .isEqualTo(huge);
            }
            assertThat(log.lines())
                    .filteredOn(line -> line.startsWith("WARNING"))
                    .singleElement()
                    .asString()
                    .contains(
                            "The tool query: a result is not checked: the value must not have a"
                                    + " number with an exponent beyond 1000");
            assertThat(text(peer.callTool("query", "{\"sql\": \"select\", \"limit\": 1e-2000}")))
                    .isEqualTo(
                            "Invalid arguments: must not have a number with an exponent beyond"
                                    + " 1000");
        }
    }

    @Test
    @Requirement({"ROOM-081", "JSON-006", "JSON-010"})
    void aSchemaThatCannotBeUsedIsRefusedAtOnce() {
        Tool unknownDialect =
                new Tool("t", json("{\"$schema\": \"https://x.example/d\", \"type\": \"object\"}"));
        Tool noObject = new Tool("t", json("{\"type\": \"string\"}"));
        Tool endless = new Tool("t", json("{\"type\": \"object\", \"$ref\": \"#\"}"));

        assertThatThrownBy(() -> McpServer.named("s", "1").tool(unknownDialect))
                .isInstanceOf(JsonSchemaException.class);
        assertThatThrownBy(() -> McpServer.named("s", "1").tool(endless))
                .isInstanceOf(JsonSchemaException.class)
                .hasMessageContaining("refers to itself without an end");
        assertThatThrownBy(() -> McpServer.named("s", "1").tool(noObject))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the inputSchema of the tool t must be of type object");
        assertThatThrownBy(
                        () ->
                                McpServer.named("s", "1")
                                        .tool("t", "Tested", String.class, String.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be a record");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"name\": 7}",
                "{\"arguments\": {}}",
                "{\"name\": \"query\", \"arguments\": [1]}",
                "{\"name\": \"query\", \"arguments\": [], \"arguments\": {}}",
                "{\"name\": \"query\", \"arguments\": \"x\"}",
                "{\"name\": \"query\", \"name\": \"query\"}"
            })
    @Requirement({"TOOL-018", "ERR-009", "ERR-010", "ROOM-063", "ROOM-064"})
    void aMalformedCallIsAnInvalidParameter(String params) throws Exception {
        try (McpServer server = server((request, call) -> CallToolResult.text(""));
                Peer peer = Peer.of(server)) {
            assertThat(Peer.code(peer.error("tools/call", params))).isEqualTo(-32602);
        }
    }

    /**
     * Accepts the empty array of serializers that do not distinguish it from an object: the schema
     * judges missing arguments.
     */
    @Test
    void anEmptyArrayIsNoArguments() throws Exception {
        try (McpServer server = server((request, call) -> CallToolResult.text(""));
                Peer peer = Peer.of(server)) {
            JsonObject result = peer.call("tools/call", "{\"name\": \"query\", \"arguments\": []}");
            assertThat(text(result)).startsWith("Invalid arguments: ").contains("sql");
        }
    }

    @Test
    @Requirement({"TOOL-029", "ERR-026"})
    void anErrorOfTheProtocolPassesUnchanged() throws Exception {
        try (McpServer server =
                        server(
                                (request, call) -> {
                                    throw new JsonRpcException(
                                            -32050, "Come back later", JsonObject.of("seconds", 5));
                                });
                Peer peer = Peer.of(server)) {
            assertThat(
                            peer.error(
                                    "tools/call",
                                    "{\"name\": \"query\", \"arguments\": {\"sql\": \"abc\"}}"))
                    .isEqualTo(
                            json(
                                    "{\"code\": -32050, \"message\": \"Come back later\", \"data\":"
                                            + " {\"seconds\": 5}}"));
        }
    }

    @Test
    @Requirement({"VERS-009", "VERS-010", "TOOL-010", "TOOL-011"})
    void contentThatARevisionLacksIsReplaced() throws Exception {
        try (McpServer server =
                McpServer.named("s", "1")
                        .tool("all", "Tested", NoInput.class, CallToolResult.class)
                        .handle(
                                (none, call) ->
                                        CallToolResult.of(
                                                Content.audio("AAAA", "audio/wav"),
                                                Content.link("a://b", "b")))
                        .build()) {
            try (Peer peer = Peer.of(server)) {
                assertThat(types(peer)).containsExactly("audio", "resource_link");
            }
            try (Peer peer = Peer.of(server, Revision.V2024_11_05, "{}")) {
                assertThat(types(peer)).doesNotContain("audio", "resource_link").hasSize(2);
            }
        }
    }

    private static List<String> types(Peer peer) throws Exception {
        return peer.callTool("all", "{}").array("content").elements().stream()
                .map(block -> ((JsonObject) block).string("type"))
                .toList();
    }

    @Nested
    class BeyondTheProtocol {
        record Reindex(String index, int shards) {}

        record Reindexed(int documents) {}

        @Test
        @Requirement("BASE-001")
        void aMethodOfOnesOwnIsServed() throws Exception {
            try (McpServer server =
                            McpServer.named("s", "1")
                                    .method("x.example/reindex", Reindex.class, Reindexed.class)
                                    .handle((params, call) -> new Reindexed(params.shards() * 10))
                                    .build();
                    Peer peer = Peer.of(server)) {
                assertThat(peer.call("x.example/reindex", "{\"index\": \"a\", \"shards\": 2}"))
                        .isEqualTo(json("{\"documents\": 20}"));
                assertThat(Peer.code(peer.error("x.example/reindex", "{\"index\": 1}")))
                        .isEqualTo(-32602);
            }
        }

        @Test
        void customNotificationsReachTheirHandler() throws Exception {
            var heard = new java.util.concurrent.LinkedBlockingQueue<String>();
            try (McpServer server =
                            McpServer.named("s", "1")
                                    .notification("x.example/note", Reindex.class)
                                    .handle(
                                            (note, caller) ->
                                                    heard.add(note.index() + " " + caller))
                                    .notification(
                                            "notifications/roots/list_changed", JsonObject.class)
                                    .handle((none, caller) -> heard.add("roots"))
                                    .build();
                    Peer peer = Peer.of(server)) {
                peer.notify("x.example/note", "{\"index\": 1}"); // malformed: ignored
                peer.notify("x.example/note", "{\"index\": \"a\", \"shards\": 1}");
                peer.notify("notifications/roots/list_changed", null);
                peer.notify("x.example/unknown", null);

                assertThat(heard.take()).isEqualTo("a anonymous");
                assertThat(heard.take()).isEqualTo("roots");
                assertThat(peer.rest()).isEmpty();
            }
        }

        @Test
        void theMethodsOfTheProtocolAreNotOnesOwn() {
            assertThatThrownBy(
                            () ->
                                    McpServer.named("s", "1")
                                            .method(
                                                    "tools/call",
                                                    JsonObject.class,
                                                    JsonObject.class))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the protocol defines the method tools/call");
            assertThatThrownBy(
                            () ->
                                    McpServer.named("s", "1")
                                            .notification(
                                                    "notifications/cancelled", JsonObject.class))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
