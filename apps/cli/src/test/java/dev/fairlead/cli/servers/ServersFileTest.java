package dev.fairlead.cli.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.client.HttpConnector;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

class ServersFileTest {
    @TempDir Path folder;

    private Environment environment(Map<String, String> variables) {
        return new Environment(variables, folder);
    }

    private ServersFile file(String json) throws IOException {
        return file(json, Map.of());
    }

    private ServersFile file(String json, Map<String, String> variables) throws IOException {
        Path file = Files.writeString(folder.resolve("servers.json"), json);
        return ServersFile.read(file, environment(variables));
    }

    @Test
    void theNamesKeepTheOrderOfTheFile() throws IOException {
        ServersFile file =
                file(
                        """
                        {"mcpServers": {"zebra": {"command": "z"}, "ant": {"command": "a"}},
                         "theme": "dark"}
                        """);

        assertThat(file.names()).containsExactly("zebra", "ant");
    }

    @Test
    void anEntryIsSummedUpWithoutItsSecrets() throws IOException {
        ServersFile file =
                file(
                        """
                        {"mcpServers": {
                          "files": {"command": "npx", "args": ["-y", "server", "${ROOT}"],
                                    "env": {"KEY": "s3cret"}, "cwd": "work", "disabled": true},
                          "web": {"type": "http", "url": "https://ada:s3cret@web.example/mcp?key=s3cret",
                                  "headers": {"Authorization": "s3cret"}}
                        }}
                        """);

        assertThat(file.entry("files").summary()).isEqualTo("npx -y server ${ROOT}");
        assertThat(file.entry("files").transport()).isEqualTo(Transport.STDIO);
        assertThat(file.entry("web").summary()).isEqualTo("https://web.example/mcp");
        assertThat(file.entry("web").transport()).isEqualTo(Transport.HTTP);
        assertThat(file.entry("files") + " " + file.entry("web") + " " + file)
                .doesNotContain("s3cret");
    }

    @Test
    void aUrlIsFilledIn() throws IOException {
        ServersFile file =
                file(
                        """
                        {"mcpServers": {"web": {"type": "streamable-http",
                          "url": "https://${HOST:-web.example}/mcp?key=${KEY}",
                          "headers": {"Authorization": "Bearer ${env:KEY}"}}}}
                        """,
                        Map.of("KEY", "s3cret"));

        Target target = file.entry("web").target();

        assertThat(target.label()).isEqualTo("web");
        assertThat(((HttpConnector) target.remote()).endpoint())
                .hasToString("https://web.example/mcp?key=s3cret");
        assertThat(target.toString()).doesNotContain("s3cret");
    }

    @Test
    void aByteOrderMarkIsPassedOver() throws IOException {
        assertThat(file("\uFEFF{\"mcpServers\": {}}").names()).isEmpty();
    }

    @Test
    void aBrokenEntryLeavesTheOthersAlone() throws IOException {
        ServersFile file = file("{\"mcpServers\": {\"bad\": 1, \"good\": {\"command\": \"g\"}}}");

        assertThat(file.entry("good").summary()).isEqualTo("g");
        assertThatThrownBy(() -> file.entry("bad"))
                .isInstanceOf(TargetException.class)
                .hasMessage(
                        folder
                                + "/servers.json: server \"bad\": must be an object but was a"
                                + " number");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            textBlock =
                    """
                    {}                                   | needs a command (stdio) or a url (http)
                    {"command": "c", "url": "http://h/"} | has both command and url
                    {"command": " "}                     | command must not be empty
                    {"command": ["c"]}                   | command must be a string but was an array
                    {"command": "c", "args": "x"}        | args must be an array of strings
                    {"command": "c", "args": ["x", 2]}   | args[1] must be a string but was a number
                    {"command": "c", "args": ["\\u0000"]} | args[0] must not contain a NUL character
                    {"command": "c", "env": []}          | env must be an object of strings
                    {"command": "c", "env": {"A": true}} | env.A must be a string but was a boolean
                    {"command": "c", "env": {"A=": ""}}  | env.A= is not a valid variable name
                    {"command": "c", "cwd": {}}          | cwd must be a string but was an object
                    {"command": "c", "inheritEnv": "yes"} | inheritEnv must be true or false
                    {"command": "c", "type": "http"}     | type must be stdio where there is a command but was "http"
                    {"url": "http://h/", "type": "ws"}   | type must be http or sse where there is a url but was "ws"
                    {"url": "http://h/", "headers": {"A": null}} | headers.A must be a string but was null
                    """)
    void aBrokenEntryIsExplained(String entry, String message) throws IOException {
        ServersFile file = file("{\"mcpServers\": {\"s\": " + entry + "}}");

        assertThatThrownBy(() -> file.entry("s"))
                .isInstanceOf(TargetException.class)
                .hasMessage(folder + "/servers.json: server \"s\": " + message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            textBlock =
                    """
                    {"command": "${NONE}"}               | command needs the environment variable NONE, which is not set
                    {"command": "c", "args": ["${NONE}"]}| args[0] needs the environment variable NONE, which is not set
                    {"command": "c", "env": {"A": "${NONE}"}} | env.A needs the environment variable NONE, which is not set
                    {"command": "c", "cwd": "${NONE}"}   | cwd needs the environment variable NONE, which is not set
                    {"command": "c", "cwd": "no/${KEY}"} | cwd "no/${KEY}" is not a folder
                    {"url": "${NONE}"}                   | url needs the environment variable NONE, which is not set
                    {"url": "ftp://s3cret/"}             | url: an MCP endpoint must be an absolute http or https URL, such as http://127.0.0.1:3000/mcp
                    {"url": "http://h/${KEY} "}          | url: not a URL: Illegal character in path at character 16
                    {"url": "http://h/", "headers": {"A": "${LINE}"}} | headers.A cannot be sent: the protocol sets this header itself, or its name or value has characters that HTTP does not allow
                    """)
    void aValueThatCannotBeUsedIsNamedButNotShown(String entry, String message) throws IOException {
        ServersFile file =
                file(
                        "{\"mcpServers\": {\"s\": " + entry + "}}",
                        Map.of("KEY", "s3cret", "LINE", "s3cret\n"));
        ServerEntry broken = file.entry("s");

        assertThatThrownBy(broken::target)
                .isInstanceOf(TargetException.class)
                .hasMessage(folder + "/servers.json: server \"s\": " + message)
                .hasMessageNotContaining("s3cret");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            textBlock =
                    """
                    {"mcpServers": | the text is not JSON at byte 14: expected a value
                    []             | must be a JSON object with the object mcpServers
                    {"servers":{}} | must be a JSON object with the object mcpServers
                    """)
    void aFileOfAnotherShapeIsRefused(String json, String message) {
        assertThatThrownBy(() -> file(json))
                .isInstanceOf(TargetException.class)
                .hasMessage(folder + "/servers.json: " + message);
    }

    @Test
    void theLineOfAMistakeIsNamed() {
        assertThatThrownBy(() -> file("{\"mcpServers\": {\n  \"a\": {}\n  \"b\": {}}}"))
                .isInstanceOf(TargetException.class)
                .hasMessage(
                        folder
                                + "/servers.json: the text is not JSON at byte 29 (line 3):"
                                + " expected a comma or the end of an object");
        assertThatThrownBy(
                        () ->
                                file(
                                        "{\"mcpServers\": {\n  \"a\": {\"url\": \"x\"},\n"
                                                + "  \"a\": {\"url\": \"y\"}}}"))
                .isInstanceOf(TargetException.class)
                .hasMessage(
                        folder
                                + "/servers.json: an object has two members named a at byte 45"
                                + " (line 3)");
    }

    @Test
    void aHugeFileIsRefused() {
        assertThatThrownBy(() -> file(" ".repeat((1 << 20) + 1)))
                .isInstanceOf(TargetException.class)
                .hasMessage(folder + "/servers.json: is larger than 1 MiB");
    }

    @Test
    void aMissingFileIsNamed() {
        assertThatThrownBy(() -> ServersFile.read(Path.of("none.json"), environment(Map.of())))
                .isInstanceOf(TargetException.class)
                .hasMessage(folder + "/none.json: no such file");
    }

    @Nested
    class Lookup {
        private void write(String path, String server) throws IOException {
            Path file = folder.resolve(path);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "{\"mcpServers\": {\"" + server + "\": {\"command\": \"c\"}}}");
        }

        private String found(String... variables) {
            var environment =
                    environment(
                            variables.length == 0
                                    ? Map.of("XDG_CONFIG_HOME", folder + "/config")
                                    : Map.of(
                                            "XDG_CONFIG_HOME",
                                            folder + "/config",
                                            variables[0],
                                            variables[1]));
            return ServersFile.find(null, environment)
                    .map(file -> file.names().get(0))
                    .orElse("nothing");
        }

        @Test
        void theNearestFileHolds() throws IOException {
            assertThat(found()).isEqualTo("nothing");
            write("config/fairlead/servers.json", "settings");
            assertThat(found()).isEqualTo("settings");
            write("mcp.json", "plain");
            assertThat(found()).isEqualTo("plain");
            write(".mcp.json", "hidden");
            assertThat(found()).isEqualTo("hidden");
            write("elsewhere/s.json", "variable");
            assertThat(found("FAIRLEAD_SERVERS", "elsewhere/s.json")).isEqualTo("variable");
            write("named.json", "named");
            assertThat(
                            ServersFile.find(
                                            Path.of("named.json"),
                                            environment(Map.of("FAIRLEAD_SERVERS", "elsewhere")))
                                    .orElseThrow()
                                    .names())
                    .containsExactly("named");
        }

        @Test
        void settingsAreBelowTheHomeFolderByDefault() {
            assertThat(environment(Map.of("HOME", "/home/ada")).settings())
                    .isEqualTo(Path.of("/home/ada/.config/fairlead"));
            assertThat(
                            environment(Map.of("HOME", "/home/ada", "XDG_CONFIG_HOME", "relative"))
                                    .settings())
                    .isEqualTo(Path.of("/home/ada/.config/fairlead"));
        }
    }
}
