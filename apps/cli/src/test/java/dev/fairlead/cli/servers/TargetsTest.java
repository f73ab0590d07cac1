package dev.fairlead.cli.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.stdio.StdioCommand;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class TargetsTest {
    @TempDir Path folder;

    private Targets targets() {
        return new Targets(
                null,
                new Environment(Map.of("XDG_CONFIG_HOME", "/nowhere", "ADA", "Ada"), folder),
                name -> Optional.empty());
    }

    private Targets targets(String json) throws IOException {
        Files.writeString(folder.resolve(".mcp.json"), "{\"mcpServers\": " + json + "}");
        return targets();
    }

    @Test
    void aUrlIsReachedByHttp() {
        Target target = targets().named("HTTP://localhost:1/mcp?key=s3cret", null);

        assertThat(target).isInstanceOf(Target.Endpoint.class);
        assertThat(target.label()).isEqualTo("HTTP://localhost:1/mcp");
    }

    @Test
    void aUrlOfAnotherKindIsRefused() {
        assertThatThrownBy(() -> targets().named("ftp://localhost/", null))
                .isInstanceOf(TargetException.class)
                .hasMessage(
                        "invalid server URL: an MCP endpoint must be an absolute"
                                + " http or https URL, such as http://127.0.0.1:3000/mcp");
    }

    @Test
    void aCommandIsAProgram() {
        Target target = targets().command(List.of("python3", "server.py"), Transport.STDIO);

        assertThat(target).isInstanceOf(Target.Program.class);
        assertThat(target.label()).isEqualTo("python3");
    }

    @Test
    void anythingElseIsANameOfTheServersFile() throws IOException {
        Target target = targets("{\"w\": {\"url\": \"http://h/\"}}").named("w", null);

        assertThat(target.label()).isEqualTo("w");
        assertThat(target.transport()).isEqualTo(Transport.HTTP);
    }

    @Test
    void anUnknownNameIsAnsweredWithTheKnownOnes() throws IOException {
        Targets targets = targets("{\"one\": {\"command\": \"c\"}, \"two\": {\"command\": \"c\"}}");

        assertThatThrownBy(() -> targets.named("three", null))
                .isInstanceOf(TargetException.class)
                .hasMessage(
                        "no server named \"three\" in "
                                + folder
                                + "/.mcp.json, which contains one, two");
    }

    @Test
    void withoutAServersFileTheUsualPlacesAreNamed() {
        assertThatThrownBy(() -> targets().named("three", null))
                .isInstanceOf(TargetException.class)
                .hasMessage(
                        "\"three\" is neither a URL (http:// or https://) nor the name of a server:"
                                + " no servers file found (%1$s/.mcp.json, %1$s/mcp.json,"
                                + " /nowhere/fairlead/servers.json)",
                        folder);
    }

    @Test
    void aUrlIsReachedInTheOldWayWhereThatIsWished() throws IOException {
        Targets targets =
                targets(
                        """
                        {"new": {"url": "http://h/"}, "old": {"url": "http://h/", "type": "sse"}}
                        """);

        assertThat(targets.named("http://h/sse", Transport.SSE).transport())
                .isEqualTo(Transport.SSE);
        assertThat(targets.named("new", Transport.SSE).transport()).isEqualTo(Transport.SSE);
        assertThat(targets.named("old", null).transport()).isEqualTo(Transport.SSE);
        assertThat(targets.named("old", Transport.SSE).transport()).isEqualTo(Transport.SSE);
        assertThatThrownBy(() -> targets.named("old", Transport.HTTP))
                .hasMessage("--transport http does not fit old, which is reached by sse");
        assertThatThrownBy(() -> targets.command(List.of("c"), Transport.SSE))
                .hasMessage("--transport sse does not fit c, which is reached by stdio");
    }

    @Test
    void aTransportThatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> targets().named("http://h/mcp", Transport.STDIO))
                .isInstanceOf(TargetException.class)
                .hasMessage(
                        "--transport stdio does not fit http://h/mcp, which is reached by http");
        assertThatThrownBy(() -> targets().command(List.of("c"), Transport.HTTP))
                .isInstanceOf(TargetException.class)
                .hasMessage("--transport http does not fit c, which is reached by stdio");
    }

    @Test
    void aProgramGetsItsArgumentsEnvironmentAndFolder() throws Exception {
        Files.createDirectory(folder.resolve("work"));
        Target target =
                targets(
                                """
                                {"s": {"command": "sh", "cwd": "work", "env": {"WHO": "is ${ADA}"},
                                  "args": ["-c", "echo \\"$1, $WHO, $PWD\\" >../seen", "sh", "${ADA}"]}}
                                """)
                        .named("s", null);

        StdioCommand silent = ((Target.Program) target).remote().stderrTo(folder.resolve("errors"));
        assertThatThrownBy(() -> McpClient.connect(silent)).isInstanceOf(ConnectionException.class);

        assertThat(folder.resolve("seen"))
                .hasContent("Ada, is Ada, " + folder.toRealPath().resolve("work"));
    }
}
