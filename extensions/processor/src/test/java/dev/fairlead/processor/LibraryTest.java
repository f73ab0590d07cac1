package dev.fairlead.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Annotations;
import dev.fairlead.protocol.base.Icon;
import dev.fairlead.protocol.base.Role;
import dev.fairlead.protocol.completion.PromptReference;
import dev.fairlead.protocol.completion.ResourceTemplateReference;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceTemplate;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.protocol.tools.ToolAnnotations;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The features of the sample {@code library}, declared by the class that is written, in use. */
class LibraryTest {
    @TempDir static Path directory;
    private static Compiled compiled;

    private McpServer server;
    private McpClient client;

    @BeforeAll
    static void compile() throws Exception {
        compiled = Samples.compile("library", directory);
    }

    @BeforeEach
    void connect() throws Exception {
        server =
                McpServer.named("library", "1")
                        .features(Samples.features(compiled, "library.Library"))
                        .build();
        client =
                McpClient.named("desk", "1") // of a session, whose results are objects
                        .revisions(Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE)
                        .connect(server.inProcess());
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    // ---- tools

    @Test
    void aToolHasTheOptionsOfItsAnnotation() throws Exception {
        Tool tool = client.tools().get(0);

        assertThat(tool.name()).isEqualTo("findBooks");
        assertThat(tool.title()).isEqualTo("Find books");
        assertThat(tool.annotations())
                .isEqualTo(ToolAnnotations.NONE.withReadOnlyHint(true).withOpenWorldHint(false));
        assertThat(tool.icons())
                .containsExactly(
                        new Icon("https://library.example/find.png").withMimeType("image/png"));
        assertThat(tool.meta()).isEqualTo(JsonObject.of("example/rank", 1));
    }

    @Test
    void descriptionsComeFromTheJavadoc() throws Exception {
        Tool tool = client.tools().get(0);

        assertThat(tool.description())
                .isEqualTo("Finds books by words in their title, <b> among them.\n\nBest first.");
        assertThat(tool.inputSchema())
                .hasToString(
                        """
                        {"type":"object","properties":{"words":{"type":"string","minLength":1,\
                        "description":"words of the title, in any order"},\
                        "limit":{"type":"integer","maximum":50,"default":10},\
                        "tone":{"type":"string","oneOf":[{"const":"FRIENDLY","title":"FRIENDLY"},\
                        {"const":"STRICT","title":"Without mercy"}],\
                        "x-mcp-header":"Tone",\
                        "description":"Only books of this tone"}},\
                        "required":["words"],"additionalProperties":false}\
                        """);
    }

    @Test
    void aToolRunsItsMethod() throws Exception {
        CallToolResult result = client.callTool("findBooks", JsonObject.of("words", "knots"));

        assertThat(result.structuredContent())
                .hasToString(
                        """
                        {"result":[{"isbn":"100","title":"Ropes & knots"},\
                        {"isbn":"200","title":"Knots at sea","tone":"STRICT"}]}\
                        """);
        assertThat(
                        client.callTool(
                                        "findBooks",
                                        JsonObject.of("words", "knots", "tone", "STRICT"))
                                .structuredContent())
                .hasToString(
                        "{\"result\":[{\"isbn\":\"200\",\"title\":\"Knots at"
                                + " sea\",\"tone\":\"STRICT\"}]}");
    }

    @Test
    void argumentsAreCheckedAsThoseOfARecord() throws Exception {
        CallToolResult result =
                client.callTool("findBooks", JsonObject.of("words", "", "limit", 51));

        assertThat(result.isError()).isTrue();
        assertThat(result.text())
                .isEqualTo(
                        "Invalid arguments: words must have at least 1 characters but has 0; limit"
                                + " must be at most 50");
    }

    @Test
    void aStaticMethodWithoutResultIsAToolToo() throws Exception {
        Tool tool = client.tools().get(1);

        assertThat(tool.name()).isEqualTo("forget.all");
        assertThat(tool.annotations())
                .isEqualTo(ToolAnnotations.NONE.withDestructiveHint(true).withIdempotentHint(true));
        assertThat(tool.taskSupport()).isEqualTo(TaskSupport.OPTIONAL);
        assertThat(client.callTool("forget.all", JsonObject.EMPTY)).isEqualTo(CallToolResult.of());
    }

    private McpClient newest() throws InterruptedException {
        return McpClient.named("newest", "1")
                .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                .acceptTasks()
                .connect(server.inProcess());
    }

    @Test
    void aMethodDecidesWhichCallsBecomeATask() throws Exception {
        try (McpClient newest = newest()) {
            assertThat(copy(newest, 10)).isEqualTo("at once");
            assertThat(copy(newest, 11)).isEqualTo("later");
        }
    }

    private static String copy(McpClient client, int pages) throws InterruptedException {
        return client.callTool("copy", JsonObject.of("isbn", "100", "pages", pages)).text();
    }

    // ---- resources

    @Test
    void contentsMayBeKeptForAsLongAsTheAnnotationSays() throws Exception {
        try (McpClient newest = newest()) {
            JsonObject book = newest.request("resources/read", JsonObject.of("uri", "book://100"));
            assertThat(book.integer("ttlMs")).isEqualTo(3_600_000);
            assertThat(book.string("cacheScope")).isEqualTo("private");
            JsonObject rules =
                    newest.request("resources/read", JsonObject.of("uri", "library://rules"));
            assertThat(rules.integer("ttlMs")).isEqualTo(86_400_000);
            assertThat(rules.string("cacheScope")).isEqualTo("public");
        }
    }

    @Test
    void aTemplateBindsItsVariablesToParameters() throws Exception {
        ResourceTemplate template = client.resourceTemplates().get(0);

        assertThat(template.uriTemplate()).isEqualTo("book://{isbn}");
        assertThat(template.title()).isEqualTo("A book");
        assertThat(template.description()).isEqualTo("One book.");
        assertThat(template.mimeType()).isEqualTo("application/json");
        assertThat(template.annotations())
                .isEqualTo(
                        Annotations.NONE.withAudience(List.of(Role.ASSISTANT)).withPriority(0.5));
        assertThat(client.readResource("book://100").text())
                .isEqualTo("{\"isbn\":\"100\",\"title\":\"Ropes & knots\"}");
    }

    @Test
    void variablesThatDoNotFitAreNoResource() {
        assertThatThrownBy(() -> client.readResource("book://abc"))
                .isInstanceOf(JsonRpcException.class)
                .hasMessage("Resource not found");
    }

    @Test
    void aTemplateListsItsResourcesBesideTheOthers() throws Exception {
        assertThat(client.resources())
                .extracting(Resource::uri, Resource::name)
                .containsExactly(
                        tuple("book://100", "book 100"),
                        tuple("book://200", "book 200"),
                        tuple("library://rules", "rules"));
    }

    @Test
    void aResourceHasTheOptionsOfItsAnnotation() throws Exception {
        Resource resource = client.resources().get(2);

        assertThat(resource.description()).isEqualTo("How to behave here.");
        assertThat(resource.mimeType()).isEqualTo("text/markdown");
        assertThat(resource.size()).isEqualTo(12);
        assertThat(client.readResource("library://rules").text()).isEqualTo("*Be silent.*");
    }

    // ---- prompts and completion

    @Test
    void aPromptBindsItsArgumentsToParameters() throws Exception {
        Prompt prompt = client.prompts().get(0);

        assertThat(prompt.name()).isEqualTo("review");
        assertThat(prompt.title()).isEqualTo("Review");
        assertThat(prompt.description()).isEqualTo("A review in the style of a magazine.");
        assertThat(client.getPrompt("review", Map.of("isbn", "200", "tone", "STRICT")).messages())
                .containsExactly(PromptMessage.user("Write a STRICT review of Knots at sea"));
        assertThat(client.getPrompt("review", Map.of("isbn", "100")).messages())
                .containsExactly(PromptMessage.user("Write a FRIENDLY review of Ropes & knots"));
    }

    @Test
    void whatCannotBeConvertedIsRefused() {
        assertThatThrownBy(() -> client.getPrompt("review", Map.of("isbn", "2")))
                .isInstanceOf(JsonRpcException.class)
                .hasMessageContaining("Invalid arguments: isbn must match ^(?:[0-9]{3})$");
    }

    @Test
    void argumentsAndVariablesAreCompleted() throws Exception {
        assertThat(
                        client.complete(new ResourceTemplateReference("book://{isbn}"), "isbn", "1")
                                .completion()
                                .values())
                .containsExactly("100");
        assertThat(
                        client.complete(new PromptReference("review"), "isbn", "2")
                                .completion()
                                .values())
                .containsExactly("200");
        assertThat(
                        client.complete(new PromptReference("review"), "tone", "fr")
                                .completion()
                                .values())
                .containsExactly("FRIENDLY");
    }
}
