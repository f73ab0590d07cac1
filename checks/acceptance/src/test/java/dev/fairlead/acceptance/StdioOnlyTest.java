package dev.fairlead.acceptance;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.protocol.Serving;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.McpServer;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.stdio.StdioCommand;
import dev.fairlead.test.support.ChildJvm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.File;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** The output of a server over stdio on standard error with the default logging of the JDK. */
@Timeout(120)
class StdioOnlyTest {
    record Sum(int left, int right) {}

    /** A program of a user, as the guide shows it. */
    static final class Program {
        private static final Tool RAW =
                Tool.builder(
                                "raw",
                                "Has a schema of its own",
                                JsonSchema.parse(
                                        """
                                        {"type": "object", "required": ["a"]}\
                                        """))
                        .build();

        private Program() {}

        public static void main(String[] arguments) throws InterruptedException {
            try (McpServer server =
                            McpServer.named("sums", "1.0.0")
                                    .maxRequests(7)
                                    .tool("add", "Adds two numbers", Sum.class, Integer.class)
                                    .handle((sum, call) -> sum.left() + sum.right())
                                    .tool(RAW) // whose arguments the schema validator checks
                                    .handle((request, call) -> CallToolResult.text("fine"))
                                    .build();
                    Serving serving = server.serve(Stdio.streams())) {
                serving.await();
            }
        }
    }

    private static final List<String> ERRORS = new CopyOnWriteArrayList<>();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String END =
            "Server sums 1.0.0 stopped on standard input and output after ";

    /** Without a provider of SLF4J, as a user's class path is. */
    private static String[] command() {
        String[] command = ChildJvm.command(Program.class).toArray(String[]::new);
        int classPath = Arrays.asList(command).indexOf("-cp") + 1;
        command[classPath] =
                Arrays.stream(command[classPath].split(File.pathSeparator))
                        .filter(path -> !path.contains("slf4j-jdk14"))
                        .collect(Collectors.joining(File.pathSeparator));
        return command;
    }

    @Test
    void standardErrorHasTheStartAndTheEndOfTheServerAndNoWarningOfSlf4j() throws Exception {
        StdioCommand program =
                Stdio.command(command()).exitTimeout(PATIENCE, PATIENCE).onStderr(ERRORS::add);
        try (McpClient client = McpClient.connect(program)) {
            assertThat(client.tool("add", Sum.class, Integer.class).call(new Sum(2, 3)))
                    .isEqualTo(5);
            assertThat(client.callTool("add", JsonObject.of("left", "x")).isError()).isTrue();
            assertThat(client.callTool("raw", JsonObject.EMPTY).isError()).isTrue();
        }

        await("its last line").until(() -> ERRORS.stream().anyMatch(line -> line.contains(END)));
        assertThat(ERRORS).noneMatch(line -> line.contains("SLF4J"));
        assertThat(ERRORS)
                .filteredOn(line -> line.contains("Server sums"))
                .satisfiesExactly(
                        line ->
                                assertThat(line)
                                        .endsWith(
                                                "Server sums 1.0.0 started on standard input and"
                                                    + " output: 2 tools, 0 resources, 0 resource"
                                                    + " templates, 0 prompts; no tasks; changed"
                                                    + " limits: maxRequests = 7"),
                        line -> assertThat(line).contains(END));
    }
}
