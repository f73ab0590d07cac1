package dev.fairlead.server;

import static dev.fairlead.server.Peer.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.handler.SourcePage;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;

/** Cursors of one server at another that has the same features, or nearly the same. */
class PagingTest {
    private static McpServer server(String... tools) {
        McpServer.Builder builder = McpServer.named("s", "1").pageSize(2);
        for (String tool : tools) {
            add(builder, tool);
        }
        return builder.build();
    }

    private static <F extends Features<F>> void add(F features, String tool) {
        features.tool(tool, "Tested", NoInput.class, String.class).handle((none, call) -> tool);
    }

    private static JsonObject tools(McpServer server, String params) throws Exception {
        try (Peer peer = Peer.of(server)) {
            return peer.call("tools/list", params);
        }
    }

    private static String after(JsonObject page) {
        return "{\"cursor\": " + JsonValue.of(page.string("nextCursor")).toJson() + "}";
    }

    private static List<String> names(JsonObject page, String list, String name) {
        return page.array(list).elements().stream()
                .map(item -> ((JsonObject) item).string(name))
                .toList();
    }

    private static List<String> names(JsonObject page) {
        return names(page, "tools", "name");
    }

    @Test
    @Requirement({"PAGE-001", "PAGE-006"})
    void aCursorIsTheSameAtEveryServerWithTheSameFeatures() throws Exception {
        try (McpServer one = server("a", "b", "c", "d", "e");
                McpServer other = server("x", "a", "b", "c", "d", "e")) {
            other.update(features -> features.removeTool("x"));
            JsonObject first = tools(one, "{}");
            JsonObject second = tools(other, after(first));

            assertThat(tools(other, "{}")).isEqualTo(first);
            assertThat(second).isEqualTo(tools(one, after(first)));
            assertThat(names(second)).containsExactly("c", "d");
            assertThat(names(tools(one, after(second)))).containsExactly("e");
        }
    }

    @Test
    @Requirement({"PAGE-001", "PAGE-006"})
    void aServerWithoutTheLastItemContinuesAfterItsPosition() throws Exception {
        try (McpServer one = server("a", "b", "c", "d", "e");
                McpServer withoutLast = server("a", "c", "d", "e");
                McpServer withoutPage = server("c", "d", "e")) {
            JsonObject first = tools(one, "{}");
            JsonObject second = tools(one, after(first));

            assertThat(names(tools(withoutLast, after(first)))).containsExactly("c", "d");
            assertThat(names(tools(withoutPage, after(first)))).containsExactly("c", "d");
            try (McpServer withoutD = server("a", "b", "c", "e")) {
                assertThat(names(tools(withoutD, after(second)))).containsExactly("e");
            }
        }
    }

    @Test
    @Requirement("PAGE-006")
    void featuresThatChangeBetweenPagesMakeNoOtherAppearTwice() throws Exception {
        try (McpServer server = server("a", "b", "c", "d", "e");
                Peer peer = Peer.of(server)) {
            JsonObject first = peer.call("tools/list", "{}");
            server.update(
                    features -> {
                        features.removeTool("b");
                        add(features, "a");
                        add(features, "f");
                    });
            JsonObject second = peer.call("tools/list", after(first));
            server.update(features -> add(features.removeTool("c").removeTool("d"), "b"));
            JsonObject third = peer.call("tools/list", after(second));

            assertThat(names(second)).containsExactly("c", "d");
            assertThat(names(third)).containsExactly("e", "f");
            assertThat(names(peer.call("tools/list", after(third)))).containsExactly("b");
        }
    }

    @Test
    @Requirement("PAGE-006")
    void whereAllThatACursorNamesIsGoneTheListBeginsAgain() throws Exception {
        String[] all = IntStream.range(0, 20).mapToObj(i -> "t" + i).toArray(String[]::new);
        try (McpServer server = server(all);
                Peer peer = Peer.of(server)) {
            JsonObject page = peer.call("tools/list", "{}");
            for (int i = 0; i < 6; i++) {
                page = peer.call("tools/list", after(page));
            }
            server.update(
                    features -> IntStream.range(4, 14).forEach(i -> features.removeTool("t" + i)));

            assertThat(names(peer.call("tools/list", after(page)))).containsExactly("t0", "t1");
        }
    }

    record Row(String id) {}

    @Test
    @Requirement({"PAGE-001", "PAGE-006"})
    void aPageEndingWithinTheListOfATemplateContinuesThereOnEveryServer() throws Exception {
        try (McpServer one = rows(List.of("3", "1", "5", "2", "4"));
                McpServer other = rows(List.of("5", "4", "2", "1"));
                Peer first = Peer.of(one);
                Peer second = Peer.of(other)) {
            JsonObject page = first.call("resources/list", "{}");
            JsonObject next = first.call("resources/list", after(page));

            assertThat(names(next, "resources", "uri")).containsExactly("row://2", "row://3");
            assertThat(names(second.call("resources/list", after(next)), "resources", "uri"))
                    .containsExactly("row://4", "row://5");
        }
    }

    private static McpServer rows(List<String> ids) {
        return McpServer.named("s", "1")
                .pageSize(2)
                .resource("a://first", "first", String.class)
                .handle((request, call) -> "")
                .resourceTemplate("row://{id}", "rows", Row.class, String.class)
                .list((caller, call) -> ids.stream().map(Row::new).toList())
                .handle((row, call) -> row.id())
                .build();
    }

    @Test
    @Requirement({"PAGE-001", "PAGE-006"})
    void aPageEndingWithinASourceContinuesThereOnEveryServer() throws Exception {
        try (McpServer one = sources();
                McpServer other = sources();
                Peer first = Peer.of(one);
                Peer second = Peer.of(other)) {
            JsonObject page = first.call("tools/list", "{}");

            assertThat(names(page)).containsExactly("files.a");
            assertThat(names(second.call("tools/list", after(page)))).containsExactly("files.b");
        }
    }

    private static McpServer sources() {
        return McpServer.named("s", "1")
                .toolSource("files.")
                .list(
                        (cursor, call) ->
                                cursor == null
                                        ? new SourcePage<>(List.of(tool("files.a")), "b")
                                        : SourcePage.last(List.of(tool("files." + cursor))))
                .handle((request, call) -> CallToolResult.of())
                .build();
    }

    private static Tool tool(String name) {
        return new Tool(name, json("{\"type\": \"object\"}"));
    }
}
