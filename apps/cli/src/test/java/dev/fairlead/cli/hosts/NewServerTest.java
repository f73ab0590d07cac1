package dev.fairlead.cli.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.cli.servers.Environment;
import dev.fairlead.cli.servers.TargetException;
import dev.fairlead.json.JsonObject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

class NewServerTest {
    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "claude-code |"
                    + " {\"command\":\"/j\",\"args\":[\"a\"],\"env\":{\"KEY\":\"${KEY}\",\"MODE\":\"x\"}}",
                "vscode |"
                    + " {\"type\":\"stdio\",\"command\":\"/j\",\"args\":[\"a\"],\"env\":{\"KEY\":\"${env:KEY}\",\"MODE\":\"x\"}}",
                "cursor |"
                    + " {\"command\":\"/j\",\"args\":[\"a\"],\"env\":{\"KEY\":\"${env:KEY}\",\"MODE\":\"x\"}}",
                "gemini-cli |"
                    + " {\"command\":\"/j\",\"args\":[\"a\"],\"env\":{\"KEY\":\"${KEY}\",\"MODE\":\"x\"}}",
                "codex |"
                    + " {\"command\":\"/j\",\"args\":[\"a\"],\"env_vars\":[\"KEY\"],\"env\":{\"MODE\":\"x\"}}"
            })
    void eachHostRefersToVariablesInItsWay(String host, String definition) {
        NewServer server =
                new NewServer.Program(
                        List.of("/j", "a"), new TreeMap<>(Map.of("KEY", "${KEY}", "MODE", "x")));

        assertThat(server.definition(Host.of(host).orElseThrow()).toJson()).isEqualTo(definition);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "claude-code |"
                    + " {\"type\":\"http\",\"url\":\"http://h/mcp\",\"headers\":{\"Authorization\":\"Bearer"
                    + " ${T}\"}}",
                "vscode |"
                    + " {\"type\":\"http\",\"url\":\"http://h/mcp\",\"headers\":{\"Authorization\":\"Bearer"
                    + " ${env:T}\"}}",
                "cursor | {\"url\":\"http://h/mcp\",\"headers\":{\"Authorization\":\"Bearer"
                        + " ${env:T}\"}}",
                "gemini-cli | {\"httpUrl\":\"http://h/mcp\",\"headers\":{\"Authorization\":\"Bearer"
                        + " ${T}\"}}",
                "codex | {\"url\":\"http://h/mcp\",\"bearer_token_env_var\":\"T\"}"
            })
    void eachHostHasItsFormOfAUrl(String host, String definition) {
        NewServer server =
                new NewServer.Endpoint("http://h/mcp", Map.of("Authorization", "Bearer ${T}"));

        assertThat(server.definition(Host.of(host).orElseThrow()).toJson()).isEqualTo(definition);
    }

    @Test
    void aHostWithoutReferencesOrUrlsSaysWhatToDo() {
        assertThatThrownBy(
                        () ->
                                new NewServer.Program(List.of("/j"), Map.of("KEY", "${KEY}"))
                                        .definition(Host.CLAUDE_DESKTOP))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("write --env KEY=VALUE");
        assertThatThrownBy(
                        () ->
                                new NewServer.Endpoint("http://h/mcp", Map.of("A", "x ${B} y"))
                                        .definition(Host.CODEX))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("codex replaces no part of a value: for A");
        assertThatThrownBy(
                        () ->
                                new NewServer.Endpoint("http://h/mcp", Map.of())
                                        .definition(Host.CLAUDE_DESKTOP))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("takes only commands");
    }

    @Test
    void aServerOfCodexIsReadAsOthersWriteIt() {
        NewServer server =
                new NewServer.Endpoint(
                        "http://h/mcp",
                        Map.of("Authorization", "Bearer ${T}", "X-A", "${A}", "X-B", "b"));
        JsonObject servers = JsonObject.of("s", server.definition(Host.CODEX));

        assertThat(CodexServers.asOthersWrite(servers).object("s").object("headers"))
                .isEqualTo(
                        JsonObject.of("Authorization", "Bearer ${T}", "X-A", "${A}", "X-B", "b"));
    }

    @Test
    void aVariableThatCodexPassesOnIsPassedOnInEachOfItsForms() {
        JsonObject variable = JsonObject.of("name", "B", "source", "local");
        JsonObject server = JsonObject.of("command", "c", "env_vars", List.of("A", variable));

        assertThat(CodexServers.asOthersWrite(JsonObject.of("s", server)).object("s").object("env"))
                .isEqualTo(JsonObject.of("A", "${A}", "B", "${B}"));
    }

    @Test
    void wordsThatNameFilesGetWholePaths() throws IOException {
        Files.createDirectories(folder.resolve("bin"));
        Path tool = Files.writeString(folder.resolve("bin/tool"), "#!/bin/sh\n");
        assertThat(tool.toFile().setExecutable(true)).isTrue();
        Files.writeString(folder.resolve("settings.json"), "{}");
        Environment environment =
                new Environment(Map.of("PATH", folder.resolve("bin").toString()), folder);
        CommandWords words =
                new CommandWords(environment, Platform.LINUX, Path.of("/jdk/bin/java"));

        assertThat(words.whole(List.of("java", "-jar", "hello.jar", "settings.json", "city=Oslo")))
                .containsExactly(
                        "/jdk/bin/java",
                        "-jar",
                        folder.resolve("hello.jar").toString(),
                        folder.resolve("settings.json").toString(),
                        "city=Oslo");
        assertThat(
                        words.whole(
                                List.of(
                                        "java",
                                        "-cp",
                                        "a.jar" + File.pathSeparator + "lib/*",
                                        "Main")))
                .containsExactly(
                        "/jdk/bin/java",
                        "-cp",
                        folder.resolve("a.jar") + File.pathSeparator + folder.resolve("lib/*"),
                        "Main");
        assertThat(words.whole(List.of("tool", "--flag")))
                .containsExactly(tool.toString(), "--flag");
        assertThat(words.whole(List.of("bin/tool"))).containsExactly(tool.toString());
        assertThatThrownBy(() -> words.whole(List.of("none")))
                .isInstanceOf(TargetException.class)
                .hasMessage("no program none on the PATH; give the path of its file");
        assertThatThrownBy(() -> words.whole(List.of("./none")))
                .isInstanceOf(TargetException.class);
    }
}
