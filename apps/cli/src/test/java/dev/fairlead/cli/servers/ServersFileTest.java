package dev.fairlead.cli.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.util.stream.Collectors.joining;

import dev.fairlead.http.client.HttpConnector;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.stdio.StdioCommand;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.stream.IntStream;

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

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16BE", "UTF-16LE"})
    void anotherEncodingIsNamed(String encoding) throws IOException {
        Path file = folder.resolve("wide.json");
        Files.writeString(file, "\uFEFF{\"mcpServers\": {}}", Charset.forName(encoding));

        assertThatThrownBy(() -> ServersFile.read(file, environment(Map.of())))
                .isInstanceOf(TargetException.class)
                .hasMessage(file + ": is in UTF-16; save it in UTF-8");
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
                    {"command": "npx", "args": ["--header", "Authorization: Bearer s3cret"]} | npx --header Authorization:…
                    {"command": "npx", "args": ["https://u:s3cret@h/mcp?v=1&token=s3cret#a"]} | npx https://h/mcp
                    {"command": "c", "args": ["--api-key", "s3cret", "--token=s3cret"]} | c --api-key … --token=…
                    {"command": "c", "args": ["db:password=s3cret", "https://h/token=s3cret"]} | c db:password=… https://h/token=…
                    {"command": "c", "args": ["https://h/?a\\ntoken=s3cret"]} | c https://h/
                    {"url": "https://ada:p@s3cret@h/mcp"} | https://h/mcp
                    {"url": "https://ada:s3/s3cret@h/mcp"} | https://…
                    {"url": "https://h/@scope/mcp"} | https://h/@scope/mcp
                    {"url": "https://${HOST}/mcp"} | https://${HOST}/mcp
                    """)
    void secretsAreNotShown(String entry, String summary) throws IOException {
        assertThat(file("{\"mcpServers\": {\"s\": " + entry + "}}").entry("s").summary())
                .isEqualTo(summary);
    }

    @Test
    @EnabledOnOs(OS.LINUX) // the text is a path elsewhere
    void aTextThatIsNoPathIsExplained() throws IOException {
        for (String member : List.of("cwd", "envFile")) {
            ServersFile file =
                    file(
                            "{\"mcpServers\": {\"s\": {\"command\": \"c\", \""
                                    + member
                                    + "\": \"\\ud800\"}}}");
            assertThatThrownBy(() -> file.entry("s").target())
                    .isInstanceOf(TargetException.class)
                    .hasMessageContaining("server \"s\": " + member + " is no path: ");
        }
    }

    @Test
    void aNameWithANulIsNoneOfAVariable() throws IOException {
        ServersFile file =
                file(
                        "{\"mcpServers\": {\"s\": {\"command\": \"c\", \"env\":"
                                + " {\"A\\u0000\": \"x\"}}}}");
        assertThatThrownBy(() -> file.entry("s"))
                .isInstanceOf(TargetException.class)
                .hasMessageEndingWith(" is not a valid variable name");
    }

    @Test
    void emptyArraysSetNothing() throws IOException {
        ServersFile file =
                file(
                        "{\"mcpServers\": {\"c\": {\"command\": \"c\", \"env\": []},"
                                + " \"h\": {\"url\": \"http://h/\", \"headers\": []}}}");

        assertThat(file.entry("c").summary()).isEqualTo("c");
        assertThat(file.entry("h").summary()).isEqualTo("http://h/");
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
                    {"command": "c", "args": "x"}        | args must be an array of strings
                    {"command": "c", "args": ["\\u0000"]} | args[0] must not contain a NUL character
                    {"command": "c", "env": ["A=1"]}     | env must be an object of strings
                    {"command": "c", "env": {"A=": ""}}  | env.A= is not a valid variable name
                    {"command": []}                      | command must not be empty
                    {"command": "c", "args": ["x", null]} | args[1] must be a string but was null
                    {"command": "c", "env": {"A": {}}}   | env.A must be a string but was an object
                    {"url": "http://h/", "serverUrl": "http://i/"} | has both url and serverUrl
                    {"command": "c", "env": {}, "environment": {"A": "b"}} | has both env and environment
                    {"command": "c", "cwd": {}}          | cwd must be a string but was an object
                    {"command": "c", "inheritEnv": "yes"} | inheritEnv must be true or false
                    {"command": "c", "type": "http"}     | type must be stdio where there is a command but was "http"
                    {"url": "http://h/", "type": "ws"}   | type must be http or sse where there is a url but was "ws"
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
                    []             | must be a JSON object with the servers in the object mcpServers (or servers, as Visual Studio Code has it)
                    {"theme":"x"}  | must be a JSON object with the servers in the object mcpServers (or servers, as Visual Studio Code has it)
                    {"servers":[]} | must be a JSON object with the servers in the object mcpServers (or servers, as Visual Studio Code has it)
                    {"mcpServers": {} /* never ends | the text is not JSON at byte 18: expected a comma or the end of an object
                    {"mcpServers": {,}} | the text is not JSON at byte 16: expected the name of a member
                    {"mcpServers": {}, "disabledServers": "s"} | disabledServers must be an array of names of servers
                    {"mcpServers": {}, "mcp": {"allowed": "s"}} | mcp.allowed must be an array of names of servers
                    {"mcpServers": {}, "allowMCPServers": [1]} | allowMCPServers must be an array of names of servers
                    """)
    void aFileOfAnotherShapeIsRefused(String json, String message) {
        assertThatThrownBy(() -> file(json))
                .isInstanceOf(TargetException.class)
                .hasMessage(folder + "/servers.json: " + message);
    }

    // ---- files of other hosts

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'servers': {'s': {'type': 'stdio', 'command': 'c'}}, 'inputs': []}",
                "{'mcp': {'servers': {'s': {'command': 'c'}}, 'inputs': []}, 'theme': 'dark'}",
                "{'mcp.servers': {'s': {'command': 'c'}}}",
                "{'context_servers': {'s': {'source': 'custom', 'command': 'c', 'args': []}}}",
                "{'context_servers': {'s': {'command': {'path': 'c', 'args': [], 'env': {}}}}}",
                "{'mcp': {'s': {'type': 'local', 'command': ['c'], 'environment': {'A': 'b'}}}}",
                "{'mcpServers': {'s': {'type': 'local', 'command': 'c', 'tools': ['*']}}}",
                "{'mcp_servers': {'s': {'command': 'c'}}}",
                "{'amp.mcpServers': {'s': {'command': 'c'}}}",
                "{'s': {'command': 'c'}}",
                "{'mcp': {'allowed': ['S']}, 'mcpServers': {'s': {'command': 'c'}}}",
                "{'mcp': {'allowed': null}, 'mcpServers': {'s': {'command': 'c'}}}",
                "{\n// servers\n'mcpServers': {/* one */ 's': {'command': 'c', 'args': [],},},}"
            })
    void eachHostKeepsItsServersInAPlaceOfItsOwn(String json) throws IOException {
        ServersFile file = file(json.replace('\'', '"'));

        assertThat(file.names()).containsExactly("s");
        assertThat(file.entry("s").transport()).isEqualTo(Transport.STDIO);
        assertThat(file.entry("s").summary()).isEqualTo("c");
        assertThat(file.entry("s").target().label()).isEqualTo("s");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            textBlock =
                    """
                    {"url": "http://h/"}                            | HTTP
                    {"serverUrl": "http://h/"}                      | HTTP
                    {"httpUrl": "http://h/"}                        | HTTP
                    {"url": "http://h/", "type": "streamable_http"} | HTTP
                    {"url": "http://h/", "type": "streamableHttp"}  | HTTP
                    {"url": "http://h/", "type": "Streamable-HTTP"} | HTTP
                    {"url": "http://h/", "type": "remote"}          | HTTP
                    {"url": "http://h/", "transport": "http"}       | HTTP
                    {"url": "http://h/", "transportType": "sse"}    | SSE
                    """)
    void aUrlHasManyNamesAndTypes(String entry, Transport transport) throws IOException {
        ServerEntry read = file("{\"mcpServers\": {\"s\": " + entry + "}}").entry("s");

        assertThat(read.transport()).isEqualTo(transport);
        assertThat(read.summary()).isEqualTo("http://h/");
    }

    @Test
    void numbersAndBooleansAreTakenAsTheyAreWritten() throws IOException {
        ServersFile file =
                file(
                        """
                        {"servers": {
                          "s": {"command": "c", "args": ["-p", 3000, true],
                                "env": {"PORT": 3000, "RATE": 0.50, "DEBUG": true, "NONE": null}},
                          "w": {"url": "http://h/", "headers": {"X-Version": 2, "X-None": null}}}}
                        """);

        assertThat(file.entry("s").summary()).isEqualTo("c -p 3000 true");
        assertThat(((Target.Program) file.entry("s").target()).remote())
                .extracting(StdioCommand::place)
                .isEqualTo(
                        Stdio.command("c", "-p", "3000", "true")
                                .environment("PORT", "3000")
                                .environment("RATE", "0.50")
                                .environment("DEBUG", "true")
                                .place());
        assertThat(file.entry("w").target().label()).isEqualTo("w");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'mcpServers': {'s': {'command': 'c', 'disabled': true}}}",
                "{'mcpServers': {'s': {'command': 'c', 'disabled': 'true'}}}",
                "{'mcpServers': {'s': {'command': 'c', 'disabled': 1}}}",
                "{'mcpServers': {'s': {'command': 'c', 'disabled': {}}}}",
                "{'mcpServers': {'s': {'command': 'c', 'enabled': false}}}",
                "{'mcpServers': {'s': {'command': 'c', 'enabled': 'no'}}}",
                "{'mcpServers': {'s': {'command': 'c', 'active': false}}}",
                "{'mcpServers': {'s': {'command': 'c', 'isActive': false}}}",
                "{'mcpServers': {'s': {'command': 'c', 'disabled': true, 'enabled': true}}}",
                "{'mcpServers': {'s': {'url': 'http://h/', 'disabled': true}}}",
                "{'mcpServers': {'s': {'command': {'path': 'c', 'disabled': true}}}}",
                "{'mcpServers': {'s': {'command': {'path': 'c', 'enabled': true}, 'disabled':"
                        + " true}}}",
                "{'mcpServers': {'s': {'command': 'c'}}, 'disabledServers': ['s']}",
                "{'mcpServers': {'s': {'command': 'c'}}, 'disabledMcpServers': ['s']}",
                "{'mcpServers': {'s': {'command': 'c'}}, 'mcp': {'excluded': ['s']}}",
                "{'mcpServers': {'s': {'command': 'c'}}, 'mcp': {'excluded': [' S']}}",
                "{'mcpServers': {'s': {'command': 'c'}}, 'excludeMCPServers': ['s']}",
                "{'mcpServers': {'s': {'command': 'c'}}, 'mcp': {'allowed': ['a']}}",
                "{'mcpServers': {'s': {'command': 'c'}}, 'mcp': {'allowed': []}}",
                "{'mcpServers': {'s': {'command': 'c'}}, 'allowMCPServers': ['a']}",
                "{'mcpServers': {'s': {'command': 'c'}}, 'allowMCPServers': ['s'],"
                        + " 'mcp': {'allowed': ['a']}}"
            })
    void aServerThatTheFileDisablesIsNeverATarget(String json) throws IOException {
        ServersFile file = file(json.replace('\'', '"'));

        assertThat(file.isDisabled("s")).isTrue();
        assertThatThrownBy(() -> file.entry("s").target())
                .isInstanceOf(TargetException.class)
                .hasMessage(
                        folder
                                + "/servers.json: server \"s\": is disabled there, so it is not"
                                + " started");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'disabled': false",
                "'disabled': null",
                "'disabled': 'false'",
                "'enabled': true"
            })
    void aServerThatIsNotDisabledIsOne(String member) throws IOException {
        ServersFile file =
                file(
                        ("{'mcpServers': {'s': {'command': 'c', " + member + "}}}")
                                .replace('\'', '"'));

        assertThat(file.isDisabled("s")).isFalse();
        assertThat(file.entry("s").target().label()).isEqualTo("s");
    }

    /** Text that only looks like a comment hides and disables nothing. */
    @Test
    void aTextThatLooksLikeACommentIsNone() throws IOException {
        ServersFile file =
                file(
                        """
                        {"mcpServers": {
                          "a": {"url": "http://h//x", "headers": {"A": "/* \\" // ,} */"}},
                          // "b": {"command": "c"},
                          "c//d": {"command": "c", "args": ["*/", ",]", "\\\\"], /* , */ }
                        }}
                        """);

        assertThat(file.names()).containsExactly("a", "c//d");
        assertThat(file.entry("a").summary()).isEqualTo("http://h//x");
        assertThat(file.entry("c//d").summary()).isEqualTo("c */ ,] \\");
    }

    /** Each would be searched for its end, which takes minutes for a file of this size. */
    @Test
    void commentsThatNeverEndAreSearchedOnce() {
        assertThatThrownBy(() -> file("{} " + "/* ".repeat(300_000)))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("byte 3");
    }

    /**
     * Each member would be added to a copy of all others, and each reference be searched for its
     * end.
     */
    @Test
    void manyMembersAndReferencesAreReadOnce() throws IOException {
        String members =
                IntStream.range(0, 80_000).mapToObj(i -> "\"m" + i + "\":1").collect(joining(","));
        ServersFile zed =
                file("{\"mcpServers\":{\"s\":{\"command\":{\"path\":\"c\"," + members + "}}}}");
        assertThat(zed.entry("s").summary()).isEqualTo("c");

        String open = "${".repeat(400_000);
        ServersFile references =
                file("{\"mcpServers\":{\"s\":{\"command\":\"c\",\"cwd\":\"" + open + "\"}}}");
        assertThatThrownBy(() -> references.entry("s").target())
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("is not a folder");
    }

    /** A file that one host reads in another way than this program starts nothing unexpected. */
    @Test
    void onlyTheFirstPlaceCounts() throws IOException {
        ServersFile file =
                file(
                        """
                        {"servers": {"evil": {"command": "evil"}},
                         "mcpServers": {"good": {"command": "good"}}}
                        """);

        assertThat(file.names()).containsExactly("good");
    }

    @Test
    void membersWithoutEffectAreNamedOnceAndThoseOfWindowsAreNot() throws Exception {
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 1000; i++) {
            many.append(", \"x").append(i).append("\\n\": ").append(i);
        }
        ServersFile file =
                file(
                        "{\"mcpServers\": {\"s\": {\"command\": \"c\", \"alwaysAllow\": [],"
                                + " \"excludeTools\": []"
                                + many
                                + "}, \"t\": {\"command\": \"c\", \"timeout\": 5}}}");
        try (Logged log = new Logged(Definition.class.getName(), Level.INFO)) {
            file.entry("t").target();
            file.entry("s").target();

            assertThat(log.lines())
                    .containsExactly(
                            "INFO "
                                    + folder
                                    + "/servers.json: server \"s\": not used: excludeTools, x0, x1,"
                                    + " x2, x3, x4, x5, x6 and 993 more");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {".env", "${workspaceFolder}/.env", "${DOT}"})
    void theVariablesOfAFileArePassedOn(String place) throws IOException {
        Files.writeString(
                folder.resolve(".env"),
                """
                # the keys of the team
                KEY=a b # of Ada
                 export QUOTED = "x # \\n\"y" # why
                RAW='${HOME} \\n'

                EMPTY=
                URL=https://h/?a=b
                LIKE_YAML: c # as in a file of Compose
                export OTHER: d
                s3cret
                no name = e
                9TIMES=f
                GLUED:g
                NUL=\0
                MODE=file
                """);
        Path host = Files.createDirectories(folder.resolve(".vscode"));
        String json =
                """
                {"servers": {"s": {"command": "c", "envFile": "%s", "env": {"MODE": "env"}}}}
                """
                        .formatted(place);
        Path file = Files.writeString(host.resolve("mcp.json"), json);

        Target target =
                ServersFile.read(file, environment(Map.of("DOT", ".env"))).entry("s").target();

        assertThat(((Target.Program) target).remote().place())
                .isEqualTo(
                        Stdio.command("c")
                                .environment("KEY", "a b")
                                .environment("QUOTED", "x # \n\"y")
                                .environment("RAW", "${HOME} \\n")
                                .environment("EMPTY", "")
                                .environment("URL", "https://h/?a=b")
                                .environment("LIKE_YAML", "c")
                                .environment("OTHER", "d")
                                .environment("MODE", "env")
                                .place());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            textBlock =
                    """
                    {"envFile": ".none"}   | envFile HERE/.none: no such file
                    {"envFile": "${NONE}"} | envFile needs the environment variable NONE, which is not set
                    {"envFile": []}        | envFile must be a string but was an array
                    {"envFile": "huge"}    | envFile HERE/huge: is larger than 1 MiB
                    """)
    void aFileOfVariablesThatCannotBeReadIsExplained(String member, String message)
            throws IOException {
        Files.writeString(folder.resolve("huge"), "#".repeat((1 << 20) + 1));
        ServersFile file =
                file("{\"mcpServers\": {\"s\": {\"command\": \"c\", " + member.substring(1) + "}}");

        assertThatThrownBy(() -> file.entry("s").target())
                .isInstanceOf(TargetException.class)
                .hasMessage(
                        folder
                                + "/servers.json: server \"s\": "
                                + message.replace("HERE", folder.toString()));
    }

    @Test
    void theWorkspaceIsAroundTheFolderOfAHost() throws IOException {
        Path host = Files.createDirectories(folder.resolve("shop/.vscode"));
        String json =
                """
                {"servers": {"s": {"command": "${workspaceFolder}/run",
                  "args": ["${workspaceFolderBasename}", "${userHome}", "${/}"]}}}
                """;
        Path file = Files.writeString(host.resolve("mcp.json"), json);
        Environment home = environment(Map.of("HOME", "/home/ada"));

        Target target = ServersFile.read(file, home).entry("s").target();

        assertThat(((Target.Program) target).remote().place())
                .isEqualTo(Stdio.command(folder + "/shop/run", "shop", "/home/ada", "/").place());
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
