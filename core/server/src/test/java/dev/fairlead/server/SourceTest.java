package dev.fairlead.server;

import static dev.fairlead.server.Peer.json;
import static dev.fairlead.server.Peer.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceContents;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.handler.SourcePage;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Tools and resources that a source lists when it is asked. */
class SourceTest {
    private static final int ROWS = 1_000_000;

    private static McpServer.Builder server() {
        return McpServer.named("s", "1")
                .pageSize(2)
                .tool("own", "Tested", NoInput.class, String.class)
                .handle((none, call) -> "own")
                .toolSource("files.")
                .list(
                        (cursor, call) ->
                                cursor == null
                                        ? new SourcePage<>(
                                                List.of(
                                                        tool("files.a"),
                                                        tool("files.b"),
                                                        tool("files.c")),
                                                "2")
                                        : SourcePage.last(List.of(tool("files.d"))))
                .handle(
                        (request, call) -> {
                            if (request.name().equals("files.z")) {
                                throw new ToolFailedException("gone");
                            }
                            return CallToolResult.text(request.name() + request.arguments());
                        })
                .tool("last", "Tested", NoInput.class, String.class)
                .handle((none, call) -> "last")
                .resourceSource("db://rows/")
                .list(
                        (cursor, call) -> {
                            int start = cursor == null ? 0 : number(cursor);
                            List<Resource> rows =
                                    IntStream.range(start, Math.min(start + 100, ROWS))
                                            .mapToObj(
                                                    i -> new Resource("db://rows/" + i, "row " + i))
                                            .toList();
                            return new SourcePage<>(
                                    rows, start + 100 < ROWS ? "" + (start + 100) : null);
                        })
                .handle(
                        (request, call) ->
                                ReadResourceResult.of(
                                        ResourceContents.text(request.uri(), null, "a row")));
    }

    private static int number(String cursor) {
        try {
            return Integer.parseInt(cursor);
        } catch (NumberFormatException e) {
            throw JsonRpcException.invalidParams("Invalid cursor");
        }
    }

    private static Tool tool(String name) {
        return new Tool(name, json("{\"type\": \"object\"}"));
    }

    private static String cursor(JsonObject page) {
        return "{\"cursor\": " + JsonValue.of(page.string("nextCursor")).toJson() + "}";
    }

    @Test
    @Requirement({"PAGE-001", "PAGE-002", "PAGE-006"})
    void thePagesOfASourceArePagesOfTheList() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.of(server)) {
            List<List<String>> pages = new ArrayList<>();
            JsonObject page = peer.call("tools/list", "{}");
            while (true) {
                pages.add(
                        page.array("tools").elements().stream()
                                .map(tool -> ((JsonObject) tool).string("name"))
                                .toList());
                if (!page.has("nextCursor")) {
                    break;
                }
                page = peer.call("tools/list", cursor(page));
            }

            assertThat(pages)
                    .containsExactly(
                            List.of("own"),
                            List.of("files.a", "files.b", "files.c"),
                            List.of("files.d", "last"));
        }
    }

    @Test
    void aCallGoesToTheSourceOfItsPrefix() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.of(server)) {
            assertThat(text(peer.callTool("files.q", "{\"a\": 1}"))).isEqualTo("files.q{\"a\":1}");
            assertThat(text(peer.callTool("own", "{}"))).isEqualTo("own");
            assertThat(peer.callTool("files.z", "{}").bool("isError")).isTrue();
            assertThat(peer.error("tools/call", "{\"name\": \"file\"}").string("message"))
                    .isEqualTo("Unknown tool: file");
        }
    }

    @Test
    @Requirement({"PAGE-006", "RES-002", "RES-003"})
    void aMillionResourcesAreListedWithoutBeingHeld() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.of(server)) {
            JsonObject first = peer.call("resources/list", "{}");
            JsonObject second = peer.call("resources/list", cursor(first));

            assertThat(second.array("resources").get(0))
                    .isEqualTo(json("{\"uri\": \"db://rows/100\", \"name\": \"row 100\"}"));
            assertThat(peer.call("resources/read", "{\"uri\": \"db://rows/7\"}").toJson())
                    .contains("a row");
            peer.call("resources/subscribe", "{\"uri\": \"db://rows/7\"}");
            assertThat(Peer.code(peer.error("resources/read", "{\"uri\": \"db://x\"}")))
                    .isEqualTo(-32002);
        }
    }

    @Test
    @Requirement("TOOL-022")
    void eachCallerHasToolsOfTheirOwn() throws Exception {
        try (McpServer server =
                        McpServer.named("s", "1")
                                .toolSource("")
                                .list(
                                        (cursor, call) ->
                                                SourcePage.last(
                                                        List.of(tool("of-" + call.caller()))))
                                .handle((request, call) -> CallToolResult.text("x"))
                                .toolSource("hidden.")
                                .visibleTo(caller -> false)
                                .list((cursor, call) -> SourcePage.last(List.of(tool("hidden.a"))))
                                .handle((request, call) -> CallToolResult.text("hidden"))
                                .build();
                Peer peer = Peer.of(server)) {
            assertThat(peer.call("tools/list", "{}").array("tools").toJson())
                    .contains("of-anonymous")
                    .doesNotContain("hidden");
            assertThat(text(peer.callTool("hidden.a", "{}"))).isEqualTo("x");
        }
    }

    @Test
    void aSourceThatListsWhatItDoesNotHaveIsABug() throws Exception {
        try (McpServer server =
                        McpServer.named("s", "1")
                                .toolSource("a.")
                                .list((cursor, call) -> SourcePage.last(List.of(tool("b.x"))))
                                .handle((request, call) -> CallToolResult.text("x"))
                                .build();
                Peer peer = Peer.of(server)) {
            assertThat(Peer.code(peer.error("tools/list", "{}"))).isEqualTo(-32603);
            server.update(features -> features.removeToolSource("a."));
            assertThat(peer.call("tools/list", "{}").array("tools").size()).isZero();
        }
    }
}
