package dev.fairlead.examples;

import static dev.fairlead.test.support.Awaiting.next;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;

class ExamplesTest {
    @Test
    void withoutANameTheyAreListed() throws Exception {
        Captured<Integer> program = Captured.of("", Examples::run);
        assertThat(program.out()).contains("  calculator [http [PORT]]", "  hello-client [URL]");
        assertThat(program.result()).isZero();
    }

    @Test
    void sqliteServesTheFileThatIsNamedOverStdio(@TempDir Path folder) throws Exception {
        String file = SqliteTest.books(folder).toString();
        try (McpClient client =
                McpClient.connect(Stdio.command(ExampleProgram.command("sqlite", file)))) {
            String sql = "SELECT year FROM book WHERE title = 'Emma'";
            assertThat(client.callTool("query", JsonObject.of("sql", sql)).text())
                    .isEqualTo("{\"rows\":[{\"year\":1815}],\"rowCount\":1}");
        }
    }

    @Test
    void filesServesTheDirectoryThatIsNamedOverHttp(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("todo.txt"), "Water the plants");
        try (ChildProcess program = ExampleProgram.start("files", folder.toString(), "http", "0")) {
            String url = program.url();
            BlockingQueue<String> updated = new LinkedBlockingQueue<>();
            try (McpClient client = McpClient.connect(Http.to(url));
                    var watch = client.watch(client.resources().getFirst().uri(), updated::add)) {
                assertThat(client.readResource(watch.uri()).text()).isEqualTo("Water the plants");
                Files.writeString(file, "Done");
                assertThat(next(updated)).isEqualTo(watch.uri());
            }
        }
    }

    /** Files that a newcomer reads first stay short; code that examples share is not counted. */
    @Test
    void everyExampleIsShort() throws Exception {
        Path sources =
                Path.of(System.getProperty("basedir", ""), "src/main/java/dev/fairlead/examples");
        Set<String> shared = Set.of("Examples", "Place", "UsageException", "package-info");
        try (Stream<Path> files = Files.list(sources.toAbsolutePath())) {
            assertThat(files.filter(file -> file.toString().endsWith(".java")))
                    .filteredOn(file -> !shared.contains(name(file)))
                    .hasSizeGreaterThan(10)
                    .as("each example is one file")
                    .allSatisfy(
                            file -> {
                                assertThat(Files.readString(file)).contains("void main(");
                                assertThat(Files.readAllLines(file)).hasSizeLessThanOrEqualTo(150);
                            });
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    @Test
    void serversServeOverHttp() throws Exception {
        try (ChildProcess program = ExampleProgram.start("echo", "http", "0")) {
            String url = program.url();
            assertThat(url).startsWith("http://127.0.0.1:");
            for (Revision revision :
                    List.of(Revision.NEWEST_WITH_HANDSHAKE, Revision.V2026_07_28)) {
                try (McpClient client =
                        McpClient.named("test", "1")
                                .revisions(revision, revision)
                                .connect(Http.to(url))) {
                    assertThat(client.callTool("echo_tool", JsonObject.of("text", "hi")).text())
                            .isEqualTo("hi");
                }
            }
        }
    }

    @Test
    void aTakenPortIsOneLineOnStandardError() throws Exception {
        try (ChildProcess first = ExampleProgram.start("echo", "http", "0")) {
            String port = first.url().replaceFirst(".*:(\\d+)/mcp", "$1");
            Captured<Integer> second = Captured.of("", () -> Examples.run("echo", "http", port));
            assertThat(second.result()).isEqualTo(1);
            assertThat(second.err()).startsWith("fairlead example echo: ").contains(port);
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
                "sqlite no-such-file",
                "assistant",
                "assistant http://127.0.0.1:1/mcp more"
            })
    void wrongArgumentsAreReportedOnStandardErrorOnly(String arguments) throws Exception {
        Captured<Integer> program = Captured.of("", () -> Examples.run(arguments.split(" ")));
        assertThat(program.result()).isEqualTo(64);
        assertThat(program.err()).startsWith("fairlead example").contains("Usage: ");
        assertThat(program.out()).isEmpty();
    }
}
