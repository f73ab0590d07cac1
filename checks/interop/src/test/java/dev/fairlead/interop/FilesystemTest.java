package dev.fairlead.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.stdio.Stdio;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The client against {@code server-filesystem}. */
class FilesystemTest {
    private static McpClient connect(McpClient.Builder client, String... folders)
            throws InterruptedException {
        return client.requestTimeout(Duration.ofSeconds(90))
                .connect(
                        Stdio.command(
                                        Npm.program(
                                                        "@modelcontextprotocol/server-filesystem",
                                                        "dist/index.js",
                                                        folders)
                                                .toArray(String[]::new))
                                .onStderr(line -> {}));
    }

    record ReadFile(String path) {}

    record Text(String content) {}

    @Test
    void filesAreWrittenReadAndListed(@TempDir Path temporary) throws Exception {
        Path folder = temporary.toRealPath();
        String file = folder.resolve("größe.txt").toString();
        try (McpClient client = connect(McpClient.named("test", "1"), folder.toString())) {
            assertThat(client.tools())
                    .extracting(Tool::name)
                    .contains("write_file", "read_text_file", "edit_file", "search_files");
            client.callTool("write_file", JsonObject.of("path", file, "content", "zwölf\n漢字"));
            assertThat(Path.of(file)).hasContent("zwölf\n漢字");
            assertThat(
                            client.tool("read_text_file", ReadFile.class, Text.class)
                                    .call(new ReadFile(file)))
                    .isEqualTo(new Text("zwölf\n漢字"));
            assertThat(
                            client.callTool(
                                            "list_directory",
                                            JsonObject.of("path", folder.toString()))
                                    .text())
                    .contains("größe.txt");
            CallToolResult outside =
                    client.callTool("read_text_file", JsonObject.of("path", "/etc/hostname"));
            assertThat(outside.isError()).isTrue();
        }
    }

    @Test
    void itWorksWhereTheRootsOfTheClientAre(@TempDir Path temporary) throws Exception {
        Path first = Files.createDirectory(temporary.toRealPath().resolve("first"));
        Path second = Files.createDirectory(temporary.toRealPath().resolve("second"));
        try (McpClient client =
                connect(McpClient.named("test", "1").roots(Root.of(first)), first.toString())) {
            awaitAllowed(client, first);
            client.replaceRoots(Root.of(second));
            awaitAllowed(client, second);
        }
    }

    /** The server asks for the roots when it likes. */
    private static void awaitAllowed(McpClient client, Path folder) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(90).toNanos();
        String allowed = "";
        while (!allowed.contains(folder.toString())) {
            assertThat(System.nanoTime()).as(allowed).isLessThan(end);
            allowed = client.callTool("list_allowed_directories", JsonObject.EMPTY).text();
        }
    }
}
