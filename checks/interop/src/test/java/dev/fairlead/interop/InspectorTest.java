package dev.fairlead.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The command line of the MCP Inspector drives the showcase: in the handshake revisions ({@code
 * legacy}), in revision 2026-07-28 ({@code modern}), and in the era of the server ({@code auto}).
 */
class InspectorTest {
    @TempDir private static Path folder;
    private static ChildProcess server;

    @BeforeAll
    static void start() throws Exception {
        server = Showcase.overHttp("--sse");
        List<String> command = Showcase.onStdio();
        JsonObject stdio =
                JsonObject.of(
                        "command",
                        command.get(0),
                        "args",
                        JsonArray.of(command.subList(1, command.size()).toArray()));
        JsonObject http = JsonObject.of("type", "streamable-http", "url", server.url());
        JsonObject servers = JsonObject.EMPTY;
        for (String era : List.of("legacy", "auto", "modern")) {
            servers =
                    servers.with("stdio-" + era, stdio.with("protocolEra", JsonValue.of(era)))
                            .with("http-" + era, http.with("protocolEra", JsonValue.of(era)));
        }
        Files.writeString(
                folder.resolve("servers.json"), JsonObject.of("mcpServers", servers).toJson());
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static JsonObject inspect(String server, String method, String... options)
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
                                server,
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
    @ValueSource(strings = {"stdio-legacy", "http-legacy", "stdio-modern", "http-modern"})
    void itFindsNothingWrongWithTheSchemasOfTheTools(String server) throws Exception {
        assertThat(inspect(server, "tools/list", "--strict").array("tools").size())
                .isGreaterThan(20);
    }

    @ParameterizedTest
    @CsvSource({
        "stdio-legacy, false", "http-legacy, false",
        "stdio-auto, true", "http-auto, true",
        "stdio-modern, true", "http-modern, true"
    })
    void itSpeaksTheRevisionThatItIsSetTo(String server, boolean perRequest) throws Exception {
        JsonObject result =
                inspect(server, "tools/call", "--tool-name", "interop_list", "--tool-arg", "n=2");

        assertThat(result.has("resultType")).isEqualTo(perRequest);
        JsonArray numbers = JsonArray.of(1, 2);
        assertThat(result.get("structuredContent"))
                .isEqualTo(perRequest ? numbers : JsonObject.of("result", numbers));
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio-legacy", "http-legacy", "stdio-modern", "http-modern"})
    void itWaitsForATask(String server) throws Exception {
        JsonObject result =
                inspect(
                        server,
                        "tools/call",
                        "--tool-name",
                        "task_required",
                        "--tool-arg",
                        "text=hello");

        assertThat(result.array("content").toJson()).contains("hello");
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio-legacy", "http-legacy", "http-modern"})
    void itCallsATool(String server) throws Exception {
        JsonObject result =
                inspect(
                        server,
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
    @ValueSource(strings = {"stdio-legacy", "http-legacy", "stdio-modern", "http-modern"})
    void itListsResourcesFromEveryPage(String server) throws Exception {
        assertThat(inspect(server, "resources/list").toJson())
                .contains("interop://page/000", "interop://page/059", "test://static-text");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http-legacy", "http-modern"})
    void itReadsAResource(String server) throws Exception {
        assertThat(inspect(server, "resources/read", "--uri", "interop://items/item-007").toJson())
                .contains("Item item-007");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http-legacy", "http-modern"})
    void itListsTemplates(String server) throws Exception {
        assertThat(inspect(server, "resources/templates/list").toJson())
                .contains("interop://items/{id}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http-legacy", "http-modern"})
    void itListsPrompts(String server) throws Exception {
        assertThat(inspect(server, "prompts/list").toJson())
                .contains("interop_prompt", "test_prompt_with_arguments");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http-legacy", "http-modern"})
    void itGetsAPrompt(String server) throws Exception {
        JsonObject result =
                inspect(
                        server,
                        "prompts/get",
                        "--prompt-name",
                        "interop_prompt",
                        "--prompt-args",
                        "lang=java");

        assertThat(result.toJson()).contains("Say something nice about java");
    }

    @Test
    void itSetsTheLogLevel() throws Exception {
        assertThat(inspect("http-legacy", "logging/setLevel", "--log-level", "debug"))
                .isEqualTo(JsonObject.EMPTY);
    }
}
