package dev.fairlead.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.ElicitForm;
import dev.fairlead.client.McpClient;
import dev.fairlead.gateway.Gateway;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.stdio.StdioCommand;
import dev.fairlead.test.support.ChildProcess;
import dev.fairlead.test.support.ClosingTest;
import dev.fairlead.test.support.FreePort;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Servers from npm, which all begin with a handshake, behind a gateway: for a client with a
 * handshake and for one of revision 2026-07-28.
 */
@Timeout(300)
class NpmServersBehindGatewayTest extends ClosingTest {
    private static final Duration SOON = Duration.ofSeconds(90);

    private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();

    /** The revision that a client speaks, and how the gateway reaches the server. */
    enum Route {
        HANDSHAKE_TO_STDIO(Revision.V2025_11_25, false),
        HANDSHAKE_TO_HTTP(Revision.V2025_11_25, true),
        PER_REQUEST_TO_STDIO(Revision.V2026_07_28, false),
        PER_REQUEST_TO_HTTP(Revision.V2026_07_28, true);

        final Revision client;
        final boolean http;

        Route(Revision client, boolean http) {
            this.client = client;
            this.http = http;
        }
    }

    private static StdioCommand npm(String name, String... arguments) {
        return Stdio.command(
                        Npm.program("@modelcontextprotocol/" + name, "dist/index.js", arguments)
                                .toArray(String[]::new))
                .onStderr(line -> {});
    }

    private Remote everything(boolean http) throws Exception {
        if (!http) {
            return npm("server-everything", "stdio");
        }
        int port = FreePort.find();
        ChildProcess child =
                closedLater(
                        Programs.start(
                                Npm.program(
                                        "@modelcontextprotocol/server-everything",
                                        "dist/index.js",
                                        "streamableHttp"),
                                Map.of("PORT", Integer.toString(port))));
        child.await("listening on port ([0-9]+)");
        return Http.to("http://127.0.0.1:" + port + "/mcp");
    }

    private McpClient connect(Remote server, Revision revision, Root... roots) throws Exception {
        Gateway gateway =
                closedLater(
                        Gateway.named("gateway", "1")
                                .connectWait(SOON)
                                .server("behind", server)
                                .build());
        McpClient client =
                closedLater(
                        McpClient.named("desk", "1")
                                .revisions(revision, revision)
                                .requestTimeout(SOON)
                                .roots(roots)
                                .onElicitForm(form -> Answer.accept(fill(form)))
                                .onSample(request -> CreateMessageResult.text("m", "Once upon"))
                                .connect(Http.to(gateway.serve(Http.port(0)).uri())));
        assertThat(client.revision()).isEqualTo(revision);
        return client;
    }

    private JsonObject fill(ElicitForm form) {
        asked.add(form.message());
        return JsonObject.of("name", "Ada Lovelace");
    }

    private static String call(McpClient client, String tool, Object... arguments)
            throws InterruptedException {
        return client.callTool(tool, JsonObject.of(arguments)).text();
    }

    @ParameterizedTest
    @EnumSource(Route.class)
    void everythingIsListedCalledAndRead(Route route) throws Exception {
        McpClient client = connect(everything(route.http), route.client);

        assertThat(client.tools()).extracting(Tool::name).contains("echo", "get-sum");
        assertThat(call(client, "echo", "message", "héllo")).isEqualTo("Echo: héllo");
        assertThat(client.callTool("get-sum", JsonObject.of("a", "two", "b", 3)).isError())
                .isTrue();
        assertThat(client.prompts()).extracting(Prompt::name).contains("simple-prompt");
        assertThat(client.getPrompt("args-prompt", Map.of("city", "Oslo")).messages().toString())
                .contains("What's weather in Oslo?");
        assertThat(client.resources())
                .extracting(Resource::uri)
                .contains("demo://resource/static/document/features.md");
        assertThat(client.resourceTemplates()).hasSize(2);
        assertThat(client.readResource("demo://resource/dynamic/text/7").text())
                .startsWith("Resource 7: ");
        assertThatThrownBy(() -> client.getPrompt("no-such-prompt"))
                .isInstanceOfSatisfying(
                        JsonRpcException.class,
                        error -> assertThat(error.code()).isEqualTo(-32602));
    }

    @ParameterizedTest
    @EnumSource(Route.class)
    void everythingReportsProgressAndIsCancelled(Route route) throws Exception {
        McpClient client = connect(everything(route.http), route.client);
        List<Double> steps = new ArrayList<>();

        String done =
                client.withProgress(step -> steps.add(step.progress()))
                        .callTool(
                                "trigger-long-running-operation",
                                JsonObject.of("duration", 0.5, "steps", 4))
                        .text();
        assertThat(done).contains("completed");
        assertThat(steps).isNotEmpty().isSubsetOf(1.0, 2.0, 3.0, 4.0);

        assertThatThrownBy(
                        () ->
                                client.withTimeout(Duration.ofSeconds(2))
                                        .callTool(
                                                "trigger-long-running-operation",
                                                JsonObject.of("duration", 250, "steps", 1)))
                .isInstanceOf(RequestTimeoutException.class);
        assertThat(call(client, "echo", "message", "still there")).isEqualTo("Echo: still there");
    }

    @ParameterizedTest
    @EnumSource(Route.class)
    void everythingAsksThePersonAndTheModel(Route route) throws Exception {
        McpClient client =
                connect(
                        everything(route.http),
                        route.client,
                        new Root("file:///home/ada").withName("home"));

        assertThat(call(client, "trigger-elicitation-request")).contains("Ada Lovelace");
        assertThat(asked).hasSize(1);
        assertThat(call(client, "trigger-sampling-request", "prompt", "Tell me"))
                .contains("Once upon");
        assertThat(call(client, "get-roots-list")).contains("file:///home/ada", "home");
    }

    @ParameterizedTest
    @EnumSource(
            value = Route.class,
            names = {"HANDSHAKE_TO_STDIO", "PER_REQUEST_TO_STDIO"})
    void filesAreWrittenAndRead(Route route, @TempDir Path temporary) throws Exception {
        Path folder = temporary.toRealPath();
        String file = folder.resolve("größe.txt").toString();
        McpClient client =
                connect(npm("server-filesystem", folder.toString()), route.client, Root.of(folder));

        assertThat(client.tools()).extracting(Tool::name).contains("write_file", "edit_file");
        call(client, "write_file", "path", file, "content", "zwölf\n漢字");
        assertThat(Path.of(file)).hasContent("zwölf\n漢字");
        assertThat(call(client, "read_text_file", "path", file)).isEqualTo("zwölf\n漢字");
        assertThat(
                        client.callTool("read_text_file", JsonObject.of("path", "/etc/hostname"))
                                .isError())
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = Route.class,
            names = {"HANDSHAKE_TO_STDIO", "PER_REQUEST_TO_STDIO"})
    void aGraphIsBuiltAndRead(Route route, @TempDir Path folder) throws Exception {
        McpClient client =
                connect(
                        npm("server-memory")
                                .environment(
                                        "MEMORY_FILE_PATH",
                                        folder.resolve("memory.jsonl").toString()),
                        route.client);
        JsonObject ada =
                JsonObject.of(
                        "name",
                        "Ada",
                        "entityType",
                        "person",
                        "observations",
                        List.of("writes programs"));

        assertThat(client.tools()).extracting(Tool::name).contains("create_entities");
        client.callTool("create_entities", JsonObject.of("entities", List.of(ada)));
        assertThat(client.callTool("read_graph", JsonObject.EMPTY).structuredContent())
                .isEqualTo(JsonObject.of("entities", List.of(ada), "relations", List.of()));
        assertThat(client.readResource("memory://knowledge-graph").text())
                .contains("writes programs");
    }

    @ParameterizedTest
    @EnumSource(
            value = Route.class,
            names = {"HANDSHAKE_TO_STDIO", "PER_REQUEST_TO_STDIO"})
    void oneProcessCountsTheThoughtsOfAClient(Route route) throws Exception {
        McpClient client = connect(npm("server-sequential-thinking"), route.client);

        assertThat(client.tools()).extracting(Tool::name).containsExactly("sequentialthinking");
        for (int number = 1; number <= 3; number++) {
            JsonObject structured =
                    (JsonObject)
                            client.callTool(
                                            "sequentialthinking",
                                            SequentialThinkingTest.thought(number))
                                    .structuredContent();
            assertThat(structured.get("thoughtHistoryLength")).isEqualTo(JsonValue.of(number));
        }
    }
}
