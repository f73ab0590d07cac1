package dev.fairlead.cli.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.cli.servers.Environment;
import dev.fairlead.cli.servers.ServersFile;
import dev.fairlead.cli.servers.TargetException;
import dev.fairlead.json.JsonObject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

class HostFileTest {
    private static final LocalDateTime NOW = LocalDateTime.of(2026, 11, 28, 21, 12, 3);
    private static final JsonObject HELLO = JsonObject.of("command", "/bin/hello");

    @TempDir Path folder;

    private Environment environment() {
        return new Environment(Map.of("HOME", folder.resolve("home").toString()), folder);
    }

    private HostFile file(Host host, String text) throws IOException {
        Files.writeString(folder.resolve("file"), text);
        return HostFile.at(host, Path.of("file"), environment());
    }

    @Test
    void commentsOrderAndBlanksStay() throws IOException {
        HostFile file =
                file(
                        Host.VSCODE,
                        """
                        {
                            // the servers of the team
                            "inputs": [ {"id": "key"}, ],
                            "servers": {
                                "old": {"command": "old"}, // keep
                            },
                            "last": 1.50
                        }
                        """);

        assertThat(file.with("hello", HELLO).after())
                .isEqualTo(
                        """
                        {
                            // the servers of the team
                            "inputs": [ {"id": "key"}, ],
                            "servers": {
                                "old": {"command": "old"},
                                "hello": {
                                  "command": "/bin/hello"
                                }, // keep
                            },
                            "last": 1.50
                        }
                        """);
        assertThat(file.without("old").after()).contains("// keep").doesNotContain("\"old\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "{\"mcpServers\": {}}",
                "{\"mcpServers\":{\"a\":{\"command\":\"}\"}}}",
                "{\"a\\\"}\": [1, {\"b\": null}], \"mcpServers\": {\"x\": {}, \"y\": {}}}",
                "{\"mcpServers\": {\"hello\": {\"command\": \"old\", \"args\": []}}, \"z\": true}",
                "{\r\n\t\"mcpServers\": {\r\n\t\t\"x\": {}, // why\r\n\t}\r\n}\r\n",
                "{\"mcpServers\": {/* none */}}",
                "{\"other\": {\"mcpServers\": {\"hello\": 1}}}"
            })
    void anAddedServerCanBeRemoved(String text) throws IOException {
        HostFile file = file(Host.CURSOR, text);

        FileChange added = file.with("hello", HELLO);
        assertThat(new JsonText(added.after()).json())
                .isInstanceOfSatisfying(
                        JsonObject.class,
                        json ->
                                assertThat(json.object("mcpServers").object("hello"))
                                        .isEqualTo(HELLO));
        assertThat(added.write(NOW)).isPresent();
        assertThat(file.has("hello")).isTrue();
        file.without("hello").write(NOW);
        assertThat(file.has("hello")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "model = \"o9\"\n",
                "[mcp_servers.hello]\ncommand = \"old\"\n[mcp_servers.hello.env]\nA = \"b\"\n",
                "# mine\n"
                        + "[mcp_servers.'hello']\n"
                        + "command = \"old\"\n\n"
                        + "[mcp_servers.other]\n"
                        + "url = \"u\"",
                "text = \"\"\"\n[mcp_servers.hello]\n\"\"\"\n"
            })
    void tablesOfTomlAreAddedAndRemovedWhereThatIsSafe(String text) throws IOException {
        HostFile file = file(Host.CODEX, text);
        JsonObject definition =
                JsonObject.of(
                        "command",
                        "C:\\Java\\java.exe",
                        "args",
                        List.of("-jar", "a \"b\"\u00e9"),
                        "env",
                        JsonObject.of("KEY.1", "v"));
        if (text.contains("\"\"\"")) {
            assertThatThrownBy(() -> file.with("hello", definition))
                    .isInstanceOf(TargetException.class)
                    .hasMessageContaining("change it by hand");
            return;
        }

        FileChange added = file.with("hello", definition);
        assertThat(new TomlText(added.after()).json().object("mcp_servers").object("hello"))
                .isEqualTo(definition);
        added.write(NOW);
        FileChange removed = file.without("hello");
        assertThat(new TomlText(removed.after()).json().toJson()).doesNotContain("hello");
        assertThat(removed.after()).startsWith(text.startsWith("#") ? "# mine" : "");
    }

    @Test
    void anInlineTableIsLeftToTheUser() throws IOException {
        HostFile file = file(Host.CODEX, "mcp_servers = { a = { command = \"a\" } }\n");

        assertThatThrownBy(() -> file.with("hello", HELLO))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("change it by hand");
    }

    @Test
    void theFileKeepsItsPermissionsAndACopyAndALinkStaysOne() throws IOException {
        Path real = Files.writeString(folder.resolve("real.json"), "{}");
        Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-r-----"));
        Path link = Files.createSymbolicLink(folder.resolve("link.json"), real);
        HostFile file = HostFile.at(Host.CURSOR, link, environment());

        Optional<Path> first = file.with("a", HELLO).write(NOW);
        Optional<Path> second = file.with("b", HELLO).write(NOW);

        assertThat(first).contains(folder.resolve("real.json.20261128-211203.bak"));
        assertThat(second).contains(folder.resolve("real.json.20261128-211203-2.bak"));
        assertThat(first.orElseThrow()).hasContent("{}");
        assertThat(link).isSymbolicLink();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(real)))
                .isEqualTo("rw-r-----");
        assertThat(file.has("b")).isTrue();
    }

    @Test
    void aFileThatAnotherProgramHasChangedIsNotOverwritten() throws IOException {
        HostFile file = file(Host.CURSOR, "{}");
        FileChange change = file.with("hello", HELLO);
        Files.writeString(file.path(), "{\"new\": 1}");

        assertThatThrownBy(() -> change.write(NOW))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("another program has changed it");
        assertThat(file.path()).hasContent("{\"new\": 1}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "{", "{\"mcpServers\": {}} x", "nul"})
    void aBrokenFileIsNotTouched(String text) throws IOException {
        HostFile file = file(Host.CURSOR, text);

        assertThatThrownBy(() -> file.with("hello", HELLO))
                .isInstanceOf(TargetException.class)
                .hasMessageStartingWith(file.path() + ": ");
    }

    @ParameterizedTest
    @CsvSource({
        "LINUX, claude-desktop, home/.config/Claude/claude_desktop_config.json",
        "MACOS, claude-desktop, home/Library/Application Support/Claude/claude_desktop_config.json",
        "LINUX, claude-code, home/.claude.json",
        "LINUX, vscode, home/.config/Code/User/mcp.json",
        "MACOS, vscode, home/Library/Application Support/Code/User/mcp.json",
        "LINUX, cursor, home/.cursor/mcp.json",
        "LINUX, codex, home/.codex/config.toml",
        "LINUX, gemini-cli, home/.gemini/settings.json"
    })
    void eachHostHasItsPlace(Platform platform, String host, String place) {
        assertThat(HostFile.ofUser(Host.of(host).orElseThrow(), platform, environment()).path())
                .isEqualTo(folder.resolve(place));
    }

    @Test
    void windowsHasAFolderForSettings() {
        Environment environment =
                new Environment(Map.of("APPDATA", folder.resolve("roaming").toString()), folder);

        assertThat(HostFile.ofUser(Host.VSCODE, Platform.WINDOWS, environment).path())
                .isEqualTo(folder.resolve("roaming/Code/User/mcp.json"));
    }

    @Test
    void theServersOfAProjectInTheFileOfClaudeCodeCount() throws IOException {
        JsonObject local = JsonObject.of("mcpServers", JsonObject.of("local", HELLO));
        HostFile file =
                file(
                        Host.CLAUDE_CODE,
                        JsonObject.of("projects", JsonObject.of(folder.toString(), local))
                                .toJson());

        assertThat(file.servers(environment()).orElseThrow().names()).containsExactly("local");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            textBlock =
                    """
                    claude-code | home/.claude.json           | {"projects": {"HERE": {"disabledMcpServers": ["off"]}}} | true
                    claude-code | home/.claude.json           | {"disabledMcpServers": ["off"]} | true
                    claude-code | home/.claude.json           | {"projects": {"HERE": {"disabledMcpjsonServers": ["off"]}}} | false
                    claude-code | home/.claude.json           | {"projects": {"/other": {"disabledMcpServers": ["off", "on"]}}} | none
                    claude-code | .claude/settings.local.json | {"disabledMcpjsonServers": ["off"]} | false
                    claude-code | .claude/settings.json       | {"disabledMcpjsonServers": ["off"]} | false
                    claude-code | home/.claude/settings.json  | {"disabledMcpjsonServers": ["off"]} | false
                    gemini-cli  | home/.gemini/settings.json  | {"mcp": {"allowed": ["on"]}} | true
                    gemini-cli  | .gemini/settings.json       | {"mcp": {"excluded": ["off"]}} | true
                    gemini-cli  | home/.gemini/mcp-server-enablement.json | {"off": {"enabled": false}, "on": {"enabled": true}} | true
                    """)
    void aServerThatTheHostHasSwitchedOffIsDisabled(
            String host, String place, String lists, String alsoOfUser) throws IOException {
        String both =
                "\"mcpServers\": {\"off\": {\"command\": \"c\"}, \"on\": {\"command\": \"c\"}}";
        HostFile ofProject =
                HostFile.ofProject(Host.of(host).orElseThrow(), environment()).orElseThrow();
        HostFile ofUser =
                HostFile.ofUser(Host.of(host).orElseThrow(), Platform.LINUX, environment());
        write(ofProject.path(), "{" + both + "}");
        write(ofUser.path(), "{" + both + "}");
        Path switches = folder.resolve(place);
        String json = lists.replace("HERE", folder.toString());
        write(switches, Files.exists(switches) ? "{" + both + "," + json.substring(1) : json);

        assertThat(disabled(ofProject)).isEqualTo(alsoOfUser.equals("none") ? "" : "off");
        assertThat(disabled(ofUser)).isEqualTo(alsoOfUser.equals("true") ? "off" : "");
    }

    @Test
    void aProjectSwitchesAServerOfCodexOff() throws IOException {
        HostFile ofUser = HostFile.ofUser(Host.CODEX, Platform.LINUX, environment());
        write(ofUser.path(), "[mcp_servers.off]\ncommand = 'c'\n[mcp_servers.on]\ncommand = 'c'");
        write(folder.resolve(".codex/config.toml"), "[mcp_servers.off]\nenabled = false\n");

        assertThat(disabled(ofUser)).isEqualTo("off");
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private String disabled(HostFile file) {
        ServersFile servers = file.servers(environment()).orElseThrow();
        return servers.names().stream()
                .filter(servers::isDisabled)
                .collect(Collectors.joining(","));
    }

    @Test
    void theFileThatDisablesAServerIsNamed() throws IOException {
        write(folder.resolve(".mcp.json"), "{\"mcpServers\": {\"a\": {\"command\": \"c\"}}}");
        Path settings = folder.resolve(".claude/settings.local.json");
        write(settings, "{\"disabledMcpjsonServers\": [\"a\"]}");
        HostServers servers = new HostServers(Platform.LINUX, environment());

        assertThatThrownBy(() -> servers.find("claude-code:a").orElseThrow().target())
                .isInstanceOf(TargetException.class)
                .hasMessage(
                        folder
                                + "/.mcp.json: server \"a\": is disabled in "
                                + settings
                                + ", so it is not started");
    }

    @Test
    void aListOfDisabledServersThatIsNoneIsRefused() throws IOException {
        write(folder.resolve(".mcp.json"), "{\"mcpServers\": {\"a\": {\"command\": \"c\"}}}");
        Path settings = folder.resolve(".claude/settings.local.json");
        write(settings, "{\"disabledMcpjsonServers\": \"a\"}");
        HostFile file = HostFile.ofProject(Host.CLAUDE_CODE, environment()).orElseThrow();

        assertThatThrownBy(() -> file.servers(environment()))
                .isInstanceOf(TargetException.class)
                .hasMessage(
                        settings + ": disabledMcpjsonServers must be an array of names of servers");
    }
}
