package dev.fairlead.cli;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.test.support.ChildJvm;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code fairlead gateway} as a process of its own, in front of two showcase servers. */
@Timeout(600)
final class GatewayCommandTest {
    @TempDir private Path folder;
    private Path file;

    /** A client that waits for processes that start on a slow machine. */
    private static McpClient.Builder patient() {
        return McpClient.named("desk", "1").requestTimeout(Duration.ofMinutes(5));
    }

    @BeforeEach
    void writeServersFile() throws IOException {
        file = folder.resolve("servers.json");
        JsonObject server = server(LocalShowcase.command());
        Files.writeString(
                file,
                JsonObject.of("mcpServers", JsonObject.of("one", server, "two", server)).toJson());
    }

    private static JsonObject server(List<String> command) {
        return JsonObject.of("command", command.get(0), "args", command.subList(1, command.size()));
    }

    private static void checkTools(McpClient client) throws InterruptedException {
        List<String> wanted = List.of("one_test_simple_text", "two_test_simple_text");
        List<String> names = List.of();
        while (!names.containsAll(wanted)) { // a server that is slow to start comes later
            names = client.tools().stream().map(Tool::name).toList();
        }
        assertThat(client.callTool("two_test_simple_text", JsonObject.EMPTY).text())
                .contains("simple text");
    }

    @Test
    void stdioServersAreReachableOverHttpUntilTheProcessIsTerminated() throws Exception {
        Path errors = folder.resolve("errors");
        Process process =
                new ProcessBuilder(
                                ChildJvm.command(
                                        Main.class,
                                        "gateway",
                                        "--http",
                                        "127.0.0.1:0",
                                        file.toString()))
                        .redirectError(errors.toFile())
                        .start();
        try (BufferedReader out = process.inputReader()) {
            String line = out.readLine();
            assertThat(line).matches("listening on http://127\\.0\\.0\\.1:\\d+/mcp");
            URI url = URI.create(line.substring("listening on ".length()));
            try (McpClient client = patient().connect(Http.to(url))) {
                checkTools(client);
                List<ProcessHandle> children = process.descendants().toList();
                assertThat(children).hasSizeGreaterThanOrEqualTo(2);
                process.destroy();
                assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
                assertThat(children).noneMatch(ProcessHandle::isAlive);
                assertThat(errors).content().contains(" stopped on " + url + " after ");
            }
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void itIsAStdioServerToo() throws Exception {
        try (McpClient client =
                patient()
                        .connect(
                                Stdio.command(
                                                ChildJvm.command(
                                                                Main.class,
                                                                "gateway",
                                                                "--stdio",
                                                                file.toString())
                                                        .toArray(String[]::new))
                                        .onStderr(line -> {}))) {
            checkTools(client);
        }
    }

    @ParameterizedTest
    @CsvSource({"2025-11-25, 1", "2026-07-28, 3"})
    void itSpeaksTheRevisionThatIsChosenToItsServers(String revision, int bodies) throws Exception {
        try (LocalShowcase showcase = new LocalShowcase()) {
            JsonObject servers = JsonObject.of("one", JsonObject.of("url", showcase.url()));
            Files.writeString(file, JsonObject.of("mcpServers", servers).toJson());
            String[] gateway =
                    ChildJvm.command(
                                    Main.class,
                                    "gateway",
                                    "--stdio",
                                    "--revision",
                                    revision,
                                    file.toString())
                            .toArray(String[]::new);
            try (McpClient client =
                    patient()
                            .onElicitForm(
                                    form ->
                                            Answer.accept(
                                                    form.message().equals("First?")
                                                            ? JsonObject.of("a", "one")
                                                            : JsonObject.of("b", "two")))
                            .connect(Stdio.command(gateway).onStderr(line -> {}))) {
                await("a server that is slow to connect").until(() -> !client.tools().isEmpty());

                // the body starts again for each answer in the newer revision alone
                assertThat(client.callTool("interop_rounds", JsonObject.EMPTY).structuredContent())
                        .isInstanceOfSatisfying(
                                JsonObject.class,
                                seen ->
                                        assertThat(seen.get("bodies"))
                                                .isEqualTo(JsonValue.of(bodies)));
            }
        }
    }

    @Test
    void aPortThatIsTakenIsOneLineAndStatusOne() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            Cli.Ran ran =
                    Cli.run(
                            "gateway",
                            "--http",
                            "127.0.0.1:" + taken.getLocalPort(),
                            file.toString());
            assertThat(ran.status()).isEqualTo(1);
            assertThat(ran.out()).isEmpty();
            assertThat(ran.err().lines())
                    .singleElement()
                    .asString()
                    .startsWith("fairlead gateway: ")
                    .contains(String.valueOf(taken.getLocalPort()));
        }
    }

    @Test
    void whatCannotBeServedIsAUsageError() throws Exception {
        assertThat(Cli.run("gateway", file.toString()).err())
                .isEqualTo("fairlead: a gateway needs either --http HOST:PORT or --stdio\n");
        assertThat(Cli.run("gateway", "--http", "nowhere", file.toString()).err())
                .isEqualTo("fairlead: --http needs HOST:PORT but was nowhere\n");
        assertThat(Cli.run("gateway", "--http", "h:99999", file.toString()).status())
                .isEqualTo(ExitStatus.USAGE);
        Files.writeString(file, "{\"mcpServers\": {}}");
        assertThat(Cli.run("gateway", "--stdio", file.toString()).err())
                .endsWith("servers.json contains no servers\n");
        Files.writeString(file, "{\"mcpServers\": {\"x\": {\"disabled\": true}}}");
        assertThat(Cli.run("gateway", "--stdio", file.toString()).err())
                .endsWith("servers.json disables all of its servers\n");
        Files.writeString(file, "{\"mcpServers\": {\"\": {\"command\": \"c\"}}}");
        Cli.Ran unnamed = Cli.run("gateway", "--stdio", file.toString());
        assertThat(unnamed.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(unnamed.err())
                .isEqualTo(
                        "fairlead: "
                                + file
                                + ": server \"\": the name of a server must have 1 to 64"
                                + " characters\n");
        Files.writeString(file, "{\"mcpServers\": {\"x\": {}}}");
        assertThat(Cli.run("gateway", "--stdio", file.toString()).status())
                .isEqualTo(ExitStatus.USAGE);
    }
}
