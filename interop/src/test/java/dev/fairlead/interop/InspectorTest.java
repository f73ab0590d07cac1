package dev.fairlead.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.showcase.Serve;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The command line of the MCP Inspector drives the showcase. */
class InspectorTest {
    @TempDir private static Path folder;
    private static ChildProcess server;

    @BeforeAll
    static void start() throws Exception {
        server =
                ChildProcess.start(ChildJvm.command(Serve.class, "--http", "127.0.0.1:0", "--sse"));
        List<String> command = ChildJvm.command(Serve.class, "--stdio");
        JsonObject stdio =
                JsonObject.of(
                        "command",
                        command.get(0),
                        "args",
                        JsonArray.of(command.subList(1, command.size()).toArray()));
        JsonObject http = JsonObject.of("type", "streamable-http", "url", server.url());
        Files.writeString(
                folder.resolve("servers.json"),
                JsonObject.of("mcpServers", JsonObject.of("stdio", stdio, "http", http)).toJson());
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static JsonObject inspect(String transport, String method, String... options)
            throws Exception {
        List<String> command =
                new ArrayList<>(
                        Npm.program(
                                "@modelcontextprotocol/inspector",
                                "clients/launcher/build/index.js",
                                "--cli",
                                "--config",
                                folder.resolve("servers.json").toString(),
                                "--server",
                                transport,
                                "--method",
                                method));
        command.addAll(List.of(options));
        String output =
                Programs.run(
                        folder,
                        command,
                        Map.of("HOME", folder.toString(), "MCP_INSPECTOR_SECRET_STORE", "memory"));
        return (JsonObject) JsonValue.parse(output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio", "http"})
    void itFindsNothingWrongWithTheSchemasOfTheTools(String transport) throws Exception {
        assertThat(inspect(transport, "tools/list", "--strict").array("tools").size())
                .isGreaterThan(20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio", "http"})
    void itCallsATool(String transport) throws Exception {
        JsonObject result =
                inspect(
                        transport,
                        "tools/call",
                        "--tool-name",
                        "interop_structured",
                        "--tool-arg",
                        "city=Oslo");

        assertThat(result.get("structuredContent"))
                .isEqualTo(
                        JsonObject.of("city", "Oslo", "temperature", 21.5, "conditions", "sunny"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio", "http"})
    void itListsResourcesFromEveryPage(String transport) throws Exception {
        assertThat(inspect(transport, "resources/list").toJson())
                .contains("interop://page/000", "interop://page/059", "test://static-text");
    }

    @Test
    void itReadsAResource() throws Exception {
        assertThat(inspect("http", "resources/read", "--uri", "interop://items/item-007").toJson())
                .contains("Item item-007");
    }

    @Test
    void itListsTemplates() throws Exception {
        assertThat(inspect("http", "resources/templates/list").toJson())
                .contains("interop://items/{id}");
    }

    @Test
    void itListsPrompts() throws Exception {
        assertThat(inspect("http", "prompts/list").toJson())
                .contains("interop_prompt", "test_prompt_with_arguments");
    }

    @Test
    void itGetsAPrompt() throws Exception {
        JsonObject result =
                inspect(
                        "http",
                        "prompts/get",
                        "--prompt-name",
                        "interop_prompt",
                        "--prompt-args",
                        "lang=java");

        assertThat(result.toJson()).contains("Say something nice about java");
    }

    @Test
    void itSetsTheLogLevel() throws Exception {
        assertThat(inspect("http", "logging/setLevel", "--log-level", "debug"))
                .isEqualTo(JsonObject.EMPTY);
    }
}
