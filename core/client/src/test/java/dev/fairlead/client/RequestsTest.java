package dev.fairlead.client;

import static dev.fairlead.client.FakeServer.json;
import static dev.fairlead.client.FakeServer.withoutToken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.InsufficientScopeException;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.completion.PromptReference;
import dev.fairlead.protocol.completion.ResourceTemplateReference;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.requirements.Requirement;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The form of each request on the wire and in Java. */
final class RequestsTest {
    private final FakeServer server = new FakeServer();
    private McpClient client;

    @BeforeEach
    void connect() throws Exception {
        client = McpClient.named("desk", "1").listLimits(50, 100, 50_000).connect(server);
    }

    @AfterEach
    void close() {
        client.close();
    }

    /** Remembers the parameters of each request of a method, and answers. */
    private List<JsonObject> recorded(String method, String result) {
        List<JsonObject> params = new ArrayList<>();
        server.on(
                method,
                seen -> {
                    params.add(withoutToken(seen));
                    return result;
                });
        return params;
    }

    @Test
    @Requirement("PING-001")
    void pingHasNoParametersAndAnEmptyResult() throws Exception {
        Background<@Nullable Object> pinging =
                Background.call(
                        () -> {
                            client.ping();
                            return null;
                        });
        JsonObject ping = server.next("ping");
        assertThat(ping.has("params")).isFalse();
        server.answer(ping, "{}");
        pinging.result();
    }

    @Test
    void theHandshakeIsNoRequestOfTheProgram() {
        assertThatThrownBy(() -> client.request("initialize", JsonObject.EMPTY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the client sends initialize by itself when it connects");
        assertThatThrownBy(() -> client.notify("notifications/initialized", JsonObject.EMPTY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the client sends notifications/initialized by itself when it connects");
    }

    @Test
    void anArgumentThatIsNullIsNamed() {
        assertThatThrownBy(() -> client.request("tools/list", null)).hasMessage("params");
        assertThatThrownBy(() -> client.notify("com.example/opened", null)).hasMessage("params");
        assertThatThrownBy(() -> client.withTimeout(null)).hasMessage("timeout");
        assertThatThrownBy(() -> client.tool("greet", null, String.class)).hasMessage("input");
    }

    @Test
    @Requirement("AUTH-047")
    void scopesThatAreMissingAreNamed() {
        server.on(
                "tools/call",
                "error:{\"code\": 403, \"message\": \"Not you\", \"data\": {\"requiredScopes\":"
                        + " [\"a\", \"b\"]}}");
        assertThatThrownBy(() -> client.callTool("purge", JsonObject.EMPTY))
                .isInstanceOfSatisfying(
                        InsufficientScopeException.class,
                        e -> assertThat(e.requiredScopes()).containsExactly("a", "b"))
                .hasMessage("Not you");
    }

    @Test
    void anErrorWithTheSameCodeAndNoScopesIsJustThat() {
        server.on("tools/call", "error:{\"code\": 403, \"message\": \"Not you\"}");
        assertThatThrownBy(() -> client.callTool("purge", JsonObject.EMPTY))
                .isExactlyInstanceOf(JsonRpcException.class);
    }

    @Test
    @Requirement({"TOOL-003", "TOOL-004"})
    void aToolIsCalledAndItsFailureIsAValue() throws Exception {
        List<JsonObject> calls =
                recorded(
                        "tools/call",
                        "{\"content\": [{\"type\": \"text\", \"text\": \"no\"}], \"isError\":"
                                + " true}");
        CallToolResult result = client.callTool("forecast", JsonObject.of("city", "Seoul"));
        assertThat(calls)
                .containsExactly(
                        json("{\"name\": \"forecast\", \"arguments\": {\"city\": \"Seoul\"}}"));
        assertThat(result.isError()).isTrue();
        assertThat(result.text()).isEqualTo("no");
    }

    @Test
    @Requirement({"BASE-022", "BASE-023", "BASE-029"})
    void metaGoesThereAndBack() throws Exception {
        List<JsonObject> calls =
                recorded(
                        "tools/call",
                        "{\"content\": [], \"_meta\": {\"com.example/b\": 2,"
                                + " \"io.modelcontextprotocol/future\": [null]}}");
        CallToolResult result =
                client.callTool(
                        new CallToolRequest("t", JsonObject.EMPTY)
                                .withMeta(json("{\"com.example/a\": 1}")));
        assertThat(calls.get(0).object("_meta")).isEqualTo(json("{\"com.example/a\": 1}"));
        assertThat(result.meta())
                .isEqualTo(
                        json("{\"com.example/b\": 2, \"io.modelcontextprotocol/future\": [null]}"));
    }

    @Test
    @Requirement({"BASE-010", "BASE-020"})
    void unknownMembersAreKept() throws Exception {
        recorded(
                "tools/list",
                "{\"tools\": [{\"name\": \"a\", \"inputSchema\": {}, \"colour\": \"red\"}],"
                        + " \"mood\": \"good\"}");
        assertThat(client.toolPage(null).otherMembers()).isEqualTo(json("{\"mood\": \"good\"}"));
        assertThat(client.tools().get(0).otherMembers()).isEqualTo(json("{\"colour\": \"red\"}"));
    }

    @Test
    @Requirement({
        "TOOL-002",
        "PAGE-001",
        "PAGE-002",
        "PAGE-003",
        "PAGE-004",
        "PAGE-005",
        "PAGE-007",
        "N26-PAGE-001"
    })
    void allPagesAreReadAndAnEmptyCursorIsOne() throws Exception {
        List<JsonObject> requests = new ArrayList<>();
        server.on(
                "tools/list",
                params -> {
                    requests.add(params);
                    return switch (requests.size()) {
                        case 1 ->
                                "{\"tools\": [{\"name\": \"a\", \"inputSchema\": {}}],"
                                        + " \"nextCursor\": \"\"}";
                        case 2 -> "{\"tools\": [], \"nextCursor\": \"=/\\u00e9 x\"}";
                        default -> "{\"tools\": [{\"name\": \"b\", \"inputSchema\": {}}]}";
                    };
                });
        assertThat(client.tools()).extracting(Tool::name).containsExactly("a", "b");
        assertThat(requests)
                .containsExactly(
                        JsonObject.EMPTY,
                        json("{\"cursor\": \"\"}"),
                        json("{\"cursor\": \"=/é x\"}"));
    }

    @Test
    @Requirement("PAGE-007")
    void aCursorThatComesAgainWidensNoLimit() {
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 101; i++) {
            many.append(i == 0 ? "" : ",").append("{\"name\": \"p").append(i).append("\"}");
        }
        server.on(
                "prompts/list",
                params ->
                        "{\"prompts\": [%s], \"nextCursor\": \"c\"}"
                                .formatted(params.has("cursor") ? many : ""));
        assertThatThrownBy(client::prompts)
                .isInstanceOf(InvalidResultException.class)
                .hasMessage("prompts/list has more than 50 pages or 100 items");
    }

    @Test
    @Requirement("PAGE-007")
    void aCursorThatComesAgainEndsTheListWithWhatWasRead() throws Exception {
        for (String cursor : List.of("again", "")) {
            List<JsonObject> requests =
                    recorded(
                            "prompts/list",
                            "{\"prompts\": [{\"name\": \"a\"}], \"nextCursor\": \""
                                    + cursor
                                    + "\"}");
            assertThat(client.prompts()).extracting(Prompt::name).containsExactly("a");
            assertThat(requests).hasSize(2);
        }
    }

    @Test
    @Requirement("PAGE-007")
    void anEmptyCursorThatIsRefusedEndsTheListWithWhatWasRead() throws Exception {
        server.on(
                "prompts/list",
                params ->
                        params.has("cursor")
                                ? "error:{\"code\": -32602, \"message\": \"Invalid cursor\"}"
                                : "{\"prompts\": [{\"name\": \"a\"}], \"nextCursor\": \"\"}");
        assertThat(client.prompts()).extracting(Prompt::name).containsExactly("a");
    }

    @Test
    @Requirement("PAGE-007")
    void aListWithTooManyItemsIsGivenUp() {
        String resource = "{\"uri\": \"a:b\", \"name\": \"n\"}";
        server.on(
                "resources/list",
                "{\"resources\": [%s]}"
                        .formatted(String.join(",", java.util.Collections.nCopies(101, resource))));
        assertThatThrownBy(client::resources)
                .isInstanceOf(InvalidResultException.class)
                .hasMessage("resources/list has more than 50 pages or 100 items");
    }

    @Test
    @Requirement("PAGE-007")
    void aListWithTooManyPagesIsGivenUp() {
        int[] page = new int[1];
        server.on("tools/list", params -> "{\"tools\": [], \"nextCursor\": \"" + page[0]++ + "\"}");
        assertThatThrownBy(client::tools).isInstanceOf(InvalidResultException.class);
        assertThat(page[0]).isEqualTo(50);
    }

    @Test
    @Requirement("PAGE-007")
    void aListWithTooManyBytesIsGivenUp() {
        int[] page = new int[1];
        String filling = "x".repeat(9_900);
        server.on(
                "prompts/list",
                params ->
                        "{\"prompts\": [{\"name\": \"%s\"}], \"nextCursor\": \"%s\"}"
                                .formatted(filling, page[0]++));
        assertThatThrownBy(client::prompts)
                .isInstanceOf(InvalidResultException.class)
                .hasMessage(
                        "prompts/list has more than 50000 bytes; raise"
                                + " McpClient.Builder.listLimits");
        assertThat(page[0]).isEqualTo(6);
    }

    @Test
    @Requirement("PAGE-007")
    void aPageThatIsLargerThanAListMayBeIsNotRead() throws Exception {
        String filling = "x".repeat(50_000);
        server.on("tools/list", "{\"no list\": \"%s\"}".formatted(filling));
        assertThatThrownBy(client::tools).hasMessageContaining("has more than 50000 bytes");
        String result = "{\"prompts\":[],\"x\":\"%s\"}";
        String fits = result.formatted("x".repeat(50_000 - result.length() + 2));
        server.on("prompts/list", fits);
        assertThat(fits).hasSize(50_000);
        assertThat(client.prompts()).isEmpty();
        server.on("prompts/list", fits + " ");
        assertThat(client.prompts()).isEmpty(); // the blank is not part of the result
        server.on("prompts/list", fits.replace("[]", "[ ]"));
        assertThatThrownBy(client::prompts).hasMessageContaining("has more than 50000 bytes");
    }

    @Test
    @Requirement({"RES-002", "ROOM-075"})
    void resourcesAndTheirTemplatesAreListed() throws Exception {
        recorded("resources/list", "{\"resources\": [{\"uri\": \"a:b\", \"name\": \"n\"}]}");
        recorded(
                "resources/templates/list",
                "{\"resourceTemplates\": [{\"uriTemplate\": \"a:{x}\", \"name\": \"t\"}]}");
        assertThat(client.resources())
                .singleElement()
                .satisfies(resource -> assertThat(resource.uri()).isEqualTo("a:b"));
        assertThat(client.resourceTemplates())
                .singleElement()
                .satisfies(template -> assertThat(template.uriTemplate()).isEqualTo("a:{x}"));
        assertThat(client.resourcePage("c").resources()).hasSize(1);
        assertThat(client.resourceTemplatePage("c").resourceTemplates()).hasSize(1);
    }

    @Test
    @Requirement("RES-003")
    void aResourceIsRead() throws Exception {
        List<JsonObject> reads =
                recorded(
                        "resources/read",
                        "{\"contents\": [{\"uri\": \"docs://guide\", \"text\": \"Hello\"}]}");
        assertThat(client.readResource("docs://guide").text()).isEqualTo("Hello");
        assertThat(reads).containsExactly(json("{\"uri\": \"docs://guide\"}"));
    }

    record Review(String team, int days, @Nullable String tone) {}

    @Test
    @Requirement({"PROMPT-002", "PROMPT-008"})
    void promptsAreListedAndFilledIn() throws Exception {
        recorded("prompts/list", "{\"prompts\": [{\"name\": \"review\"}]}");
        List<JsonObject> gets =
                recorded(
                        "prompts/get",
                        "{\"messages\": [{\"role\": \"user\", \"content\": {\"type\": \"text\","
                                + " \"text\": \"hi\"}}]}");
        assertThat(client.prompts()).extracting(Prompt::name).containsExactly("review");
        assertThat(client.promptPage(null).prompts()).hasSize(1);
        assertThat(client.getPrompt("review", Map.of("team", "core")).messages()).hasSize(1);
        client.getPrompt("review", new Review("core", 3, null));
        client.getPrompt("review");
        assertThat(gets.get(0))
                .isEqualTo(json("{\"name\": \"review\", \"arguments\": {\"team\": \"core\"}}"));
        assertThat(gets.get(1))
                .isEqualTo(
                        json(
                                "{\"name\": \"review\", \"arguments\": {\"team\": \"core\","
                                        + " \"days\": \"3\"}}"));
        assertThat(gets.get(2).string("name")).isEqualTo("review");
    }

    @Test
    @Requirement({"COMP-002", "COMP-003", "COMP-005"})
    void anArgumentIsCompletedWithWhatIsChosenAlready() throws Exception {
        List<JsonObject> requests =
                recorded(
                        "completion/complete",
                        "{\"completion\": {\"values\": [\"python\"], \"total\": 9, \"hasMore\":"
                                + " true}}");
        var completion =
                client.complete(new PromptReference("p"), "lang", "py", Map.of("team", "core"))
                        .completion();
        client.complete(new ResourceTemplateReference("a:{x}"), "x", "1");
        assertThat(completion.values()).containsExactly("python");
        assertThat(completion.total()).isEqualTo(9);
        assertThat(completion.hasMore()).isTrue();
        assertThat(requests.get(0))
                .isEqualTo(
                        json(
                                """
                                {"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "lang", "value": "py"},
                                 "context": {"arguments": {"team": "core"}}}\
                                """));
        assertThat(requests.get(1))
                .isEqualTo(
                        json(
                                """
                                {"ref": {"type": "ref/resource", "uri": "a:{x}"}, "argument": {"name": "x", "value": "1"}}\
                                """));
    }

    @Test
    void completionWithoutTotalsIsFine() throws Exception {
        recorded("completion/complete", "{\"completion\": {\"values\": []}}");
        var completion = client.complete(new PromptReference("p"), "lang", "").completion();
        assertThat(completion.values()).isEmpty();
        assertThat(completion.total()).isNull();
    }

    @Test
    @Requirement({"LOG-002", "LOG-003"})
    void theLoggingLevelIsSet() throws Exception {
        List<JsonObject> levels = recorded("logging/setLevel", "{}");
        client.setLoggingLevel(LoggingLevel.WARNING);
        assertThat(levels).containsExactly(json("{\"level\": \"warning\"}"));
    }

    @Test
    void anyMethodCanBeSentAsItIs() throws Exception {
        List<JsonObject> requests = recorded("com.example/ask", "{\"answer\": 42}");
        assertThat(client.request("com.example/ask", json("{\"q\": 1}")))
                .isEqualTo(json("{\"answer\": 42}"));
        assertThat(requests).containsExactly(json("{\"q\": 1}"));
        client.notify("com.example/tell", json("{\"x\": 1}"));
        assertThat(server.next())
                .isEqualTo(
                        json(
                                "{\"jsonrpc\": \"2.0\", \"method\": \"com.example/tell\","
                                        + " \"params\": {\"x\": 1}}"));
        client.notify("com.example/tell", JsonObject.EMPTY);
        assertThat(server.next())
                .isEqualTo(json("{\"jsonrpc\": \"2.0\", \"method\": \"com.example/tell\"}"));
    }

    @Test
    @Requirement({"ERR-026", "BASE-012"})
    void anErrorOfTheServerArrivesUnchanged() {
        server.on("tools/call", "error:{\"code\": -31999, \"message\": \"odd\", \"data\": [1]}");
        assertThatThrownBy(() -> client.callTool("t", JsonObject.EMPTY))
                .isInstanceOfSatisfying(
                        JsonRpcException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo(-31999);
                            assertThat(e.getMessage()).isEqualTo("odd");
                            assertThat(e.data())
                                    .isEqualTo(dev.fairlead.json.JsonValue.parse("[1]"));
                        });
    }

    @Test
    void aResultOfTheWrongShapeIsTheServersFault() {
        server.on("tools/list", "{\"tools\": 7}");
        assertThatThrownBy(client::tools)
                .isInstanceOf(InvalidResultException.class)
                .hasMessageContaining("tools/list")
                .hasMessageContaining("tools must be an array");
    }
}
