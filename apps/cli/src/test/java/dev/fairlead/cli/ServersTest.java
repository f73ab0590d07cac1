package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.cli.Cli.Ran;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** {@code fairlead servers}, and names of the servers file in place of a URL. */
@Timeout(600)
class ServersTest {
    @TempDir Path folder;

    private static JsonObject scripted(String script) {
        List<String> command = ScriptedStdioServer.command(script);
        return JsonObject.of("command", command.get(0), "args", command.subList(1, command.size()));
    }

    private String file(Object... namesAndDefinitions) throws IOException {
        JsonObject json = JsonObject.of("mcpServers", JsonObject.of(namesAndDefinitions));
        return Files.writeString(folder.resolve("servers.json"), json.toJson()).toString();
    }

    @Test
    void theServersAreListedWithoutTheirSecrets() throws IOException {
        String file =
                file(
                        "web",
                        JsonObject.of(
                                "url",
                                "https://web.example/mcp?key=s3cret",
                                "headers",
                                JsonObject.of("Authorization", "Bearer s3cret")),
                        "files",
                        JsonObject.of(
                                "command",
                                "npx",
                                "args",
                                List.of("-y", "--api-key", "s3cret", "--token=s3cret", "files"),
                                "env",
                                JsonObject.of("KEY", "s3cret")),
                        "broken",
                        JsonObject.of("command", 1));

        assertThat(Cli.run("servers", "--servers", file))
                .isEqualTo(
                        new Ran(
                                0,
                                "web\thttp\thttps://web.example/mcp\t\n"
                                        + "files\tstdio\tnpx -y --api-key … --token=… files\t\n"
                                        + "broken\t\t\t"
                                        + file
                                        + ": server \"broken\": command must be a string but was a"
                                        + " number\n",
                                ""));
    }

    @Test
    void aCheckReportsWhichServersAnswer() throws IOException {
        String file =
                file(
                        "good",
                        scripted("plain"),
                        "mute",
                        scripted("mute"),
                        "none",
                        JsonObject.of("command", "/no/such/program"));

        Ran ran =
                Cli.runUntilReached(
                        reached -> reached.out().contains("\"serverInfo\""),
                        timeout ->
                                new String[] {
                                    "servers",
                                    "--json",
                                    "--check",
                                    "--timeout",
                                    Integer.toString(timeout),
                                    "--servers",
                                    file
                                });

        assertThat(ran.status()).isEqualTo(ExitStatus.NO_ANSWER);
        assertThat(ran.err()).isEmpty();
        JsonObject document = (JsonObject) JsonValue.parse(ran.out());
        assertThat(document.string("file")).isEqualTo(file);
        JsonArray servers = document.array("servers");
        assertThat(((JsonObject) servers.get(0)).without("target"))
                .isEqualTo(
                        JsonObject.of(
                                "name",
                                "good",
                                "transport",
                                "stdio",
                                "serverInfo",
                                JsonObject.of("name", "scripted", "version", "1"),
                                "protocolVersion",
                                "2025-11-25"));
        assertThat(((JsonObject) servers.get(1)).string("error")).contains("initialize");
        assertThat(((JsonObject) servers.get(2)).string("error")).contains("/no/such/program");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-06-18", "2026-07-28"})
    void aCheckSpeaksTheRevisionThatIsChosen(String revision) throws Exception {
        try (LocalShowcase showcase = new LocalShowcase()) {
            String file = file("good", JsonObject.of("url", showcase.url()));

            Ran ran =
                    Cli.run(
                            "servers",
                            "--json",
                            "--check",
                            "--revision",
                            revision,
                            "--servers",
                            file);

            assertThat(ran.status()).as("%s", ran).isZero();
            JsonArray servers = ((JsonObject) JsonValue.parse(ran.out())).array("servers");
            assertThat(((JsonObject) servers.get(0)).string("protocolVersion")).isEqualTo(revision);
        }
    }

    @Test
    void aServerThatTheFileDisablesIsNotStarted() throws IOException {
        JsonObject off = JsonObject.of("command", "/no/such/program", "disabled", true);
        String file = file("off", off, "good", scripted("plain"));

        Ran listed = Cli.run("servers", "--json", "--servers", file);
        Ran checked = Cli.run("servers", "--check", "--servers", file);
        Ran used = Cli.run("ping", "off", "--servers", file);

        assertThat(listed.out()).contains("{\"name\":\"off\",\"disabled\":true}");
        assertThat(checked.status()).as("%s", checked).isZero();
        assertThat(checked.out()).contains("off\t\t\tdisabled\n").doesNotContain("cannot start");
        assertThat(used.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(used.err())
                .isEqualTo(
                        "fairlead: "
                                + file
                                + ": server \"off\": is disabled there, so it is not started\n");
    }

    @Test
    void anUnknownRevisionIsWrongUsage() throws IOException {
        Ran ran = Cli.run("servers", "--revision", "2025", "--servers", file());

        assertThat(ran.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(ran.err()).startsWith("fairlead: --revision must be one of 2026-07-28, ");
    }

    @Test
    void aServerIsReachedByItsName() throws IOException {
        assertThat(Cli.run("ping", "good", "--servers", file("good", scripted("plain"))).status())
                .isZero();
    }

    @Test
    void anUnknownNameIsWrongUsage() throws IOException {
        String file = file("good", scripted("plain"));

        assertThat(Cli.run("ping", "other", "--servers", file))
                .isEqualTo(
                        new Ran(
                                ExitStatus.USAGE,
                                "",
                                "fairlead: no server named \"other\" in "
                                        + file
                                        + ", which contains good\n"));
    }

    @Test
    void aMissingFileIsWrongUsage() {
        assertThat(Cli.run("servers", "--servers", folder + "/none.json"))
                .isEqualTo(
                        new Ran(
                                ExitStatus.USAGE,
                                "",
                                "fairlead: " + folder + "/none.json: no such file\n"));
    }
}
