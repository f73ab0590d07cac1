package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.cli.Cli.Ran;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code fairlead install}, {@code uninstall} and {@code hosts}, and the names of hosts. */
@Timeout(600)
class InstallTest {
    @TempDir Path home;

    private Ran run(String... typed) {
        return Cli.runWith(
                Map.of(
                        "HOME", home.toString(),
                        "XDG_CONFIG_HOME", home.resolve(".config").toString(),
                        "CODEX_HOME", home.resolve("codex").toString()),
                typed);
    }

    private Ran install(String host) {
        List<String> command = ScriptedStdioServer.command("plain");
        List<String> typed = new ArrayList<>(List.of("install", host, "hello", "--"));
        typed.addAll(command);
        return run(typed.toArray(String[]::new));
    }

    @Test
    void anInstalledServerAnswersUnderItsName() {
        for (String host : List.of("claude-desktop", "cursor", "codex", "vscode", "gemini-cli")) {
            Ran installed = install(host);
            assertThat(installed.status()).as(installed.err()).isZero();
            assertThat(installed.out())
                    .startsWith("Added hello in the file of ")
                    .endsWith("Try it:  fairlead tools list " + host + ":hello\n");

            Ran asked = run("ping", host + ":hello");
            assertThat(asked.status()).as(asked.err()).isZero();
        }

        Ran hosts = run("hosts", "--json");
        assertThat(((JsonObject) JsonValue.parse(hosts.out())).array("servers").elements())
                .map(server -> ((JsonObject) server).string("name"))
                .contains("claude-desktop:hello", "codex:hello", "vscode:hello");

        assertThat(run("uninstall", "codex", "hello").status()).isZero();
        Ran gone = run("ping", "codex:hello");
        assertThat(gone.status()).isEqualTo(64);
        assertThat(gone.err()).isEqualTo("fairlead: Codex has no server hello, and no other\n");
    }

    @Test
    void aServerIsReplacedOnlyByForce() throws IOException {
        Path file = home.resolve("mcp.json");
        String[] typed = {
            "install", "cursor", "web", "--file", file.toString(), "http://127.0.0.1:1/mcp"
        };
        assertThat(run(typed).status()).isZero();

        Ran again = run(typed);
        assertThat(again.status()).isEqualTo(64);
        assertThat(again.err()).contains("has a server web already, in " + file);
        Ran forced =
                run(
                        "install",
                        "cursor",
                        "web",
                        "--force",
                        "--file",
                        file.toString(),
                        "http://127.0.0.1:2/mcp");
        assertThat(forced.out()).startsWith("Replaced web").contains("The file as it was: ");
        assertThat(Files.readString(file)).contains(":2/mcp").doesNotContain(":1/mcp");
    }

    @Test
    void aDryRunWritesNothing() {
        Ran ran = run("install", "cursor", "web", "--dry-run", "http://127.0.0.1:1/mcp");

        assertThat(ran.out())
                .isEqualTo(
                        "Would add web in the file of Cursor, "
                                + home.resolve(".cursor/mcp.json")
                                + "\n{\n  \"url\": \"http://127.0.0.1:1/mcp\"\n}\n");
        assertThat(home.resolve(".cursor")).doesNotExist();
    }

    @Test
    void mistakesAreNamed() {
        assertThat(run("install", "emacs", "a", "http://h/mcp").err())
                .contains("unknown host emacs; it is one of claude-code, claude-desktop");
        assertThat(run("install", "cursor", "a b", "http://h/mcp").err())
                .contains("letters, digits, _ and -, but was a b");
        assertThat(run("install", "cursor", "a", "ftp://h").err())
                .contains("a URL begins with http:// or https://");
        assertThat(run("install", "cursor", "a").err())
                .contains("give either the URL of the server, or --");
        assertThat(run("install", "cursor", "a", "--env", "X", "http://h/mcp").err())
                .contains("a URL takes --header");
        assertThat(run("install", "claude-desktop", "a", "--project", "--", "sh").err())
                .contains("claude-desktop has no file for a project");
        assertThat(run("uninstall", "cursor", "a").err()).contains("no server \"a\" in ");
    }

    @Test
    void aFileThatCannotBeReadCostsNoOther() throws IOException {
        Files.createDirectories(home.resolve(".cursor"));
        Files.writeString(home.resolve(".cursor/mcp.json"), "{");
        Files.createDirectories(home.resolve(".gemini"));
        Files.writeString(
                home.resolve(".gemini/settings.json"),
                "{\"mcpServers\": {\"web\": {\"httpUrl\": \"http://127.0.0.1:1/mcp\"}}}");

        Ran ran = run("hosts");
        assertThat(ran.status()).isZero();
        assertThat(ran.out())
                .contains("cursor:\t\t\t" + home.resolve(".cursor/mcp.json"))
                .contains("gemini-cli:web\thttp\thttp://127.0.0.1:1/mcp\t\n");
    }
}
