package dev.fairlead.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.stdio.Stdio;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExamplesTest {
    @Test
    void withoutANameTheyAreListed() throws Exception {
        try (Program program = Program.start()) {
            assertThat(program.output())
                    .contains("  calculator [http [PORT]]", "  hello-client [URL]");
            assertThat(program.exitStatus()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"calculator", "echo", "hello", "library", "lowlevel", "travel"})
    void serversServeOverStdio(String name) throws Exception {
        try (McpClient client = McpClient.connect(Stdio.command(Program.command(name)))) {
            assertThat(client.tools()).isNotEmpty();
        }
    }

    @Test
    void serversServeOverHttp() throws Exception {
        try (Program program = Program.start("echo", "http", "0")) {
            String line = program.line();
            assertThat(line).startsWith("listening on http://127.0.0.1:");
            try (McpClient client =
                    McpClient.connect(Http.to(line.substring("listening on ".length())))) {
                assertThat(client.callTool("echo_tool", JsonObject.of("text", "hi")).text())
                        .isEqualTo("hi");
            }
        }
    }

    @Test
    void aTakenPortIsOneLineOnStandardError() throws Exception {
        try (Program first = Program.start("echo", "http", "0")) {
            String url = first.line();
            String port = url.replaceFirst(".*:(\\d+)/mcp", "$1");
            try (Program second = Program.start("echo", "http", port)) {
                assertThat(second.errors()).startsWith("fairlead example echo: ").contains(port);
                assertThat(second.exitStatus()).isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nope",
                "echo stdio",
                "echo http x",
                "echo http 1 2",
                "hello stdio",
                "sqlite",
                "sqlite no-such-file"
            })
    void wrongArgumentsAreToldOnStandardErrorOnly(String arguments) throws Exception {
        try (Program program = Program.start(arguments.split(" "))) {
            assertThat(program.errors()).startsWith("fairlead example").contains("Usage: ");
            assertThat(program.output()).isEmpty();
            assertThat(program.exitStatus()).isEqualTo(64);
        }
    }
}
