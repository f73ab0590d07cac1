package dev.fairlead.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.server.McpServer;
import dev.fairlead.test.support.ChildJvm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Cost of a console that is on the class path and not switched on. */
@Timeout(120)
class OffTest {
    record Echo(String text) {}

    /** Serves without a console until standard input ends, and calls itself. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws Exception {
            try (McpServer server =
                            McpServer.named("plain", "1")
                                    .tool("echo", "Gives back its text", Echo.class, String.class)
                                    .handle((echo, call) -> echo.text())
                                    .build();
                    McpClient client =
                            McpClient.connect(Http.to(server.serve(Http.port(0)).uri()))) {
                client.callTool("echo", JsonObject.of("text", "hello"));
            }
        }
    }

    @Test
    void aServerWithoutAConsoleLoadsNoneOfItsClasses(@TempDir Path folder) throws Exception {
        Path log = folder.resolve("classes");
        List<String> command = new ArrayList<>(ChildJvm.command(Program.class));
        command.add(1, "-Xlog:class+load:file=" + log + ":none");
        int status =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("out").toFile())
                        .start()
                        .waitFor();
        assertThat(status).as(Files.readString(folder.resolve("out"))).isZero();
        try (Stream<String> lines = Files.lines(log)) {
            List<String> loaded =
                    lines.map(line -> line.split(" ", 2)[0])
                            .filter(name -> name.startsWith("dev.fairlead."))
                            .toList();
            assertThat(loaded)
                    .contains("dev.fairlead.server.McpServer")
                    .noneMatch(
                            name ->
                                    name.startsWith("dev.fairlead.console.")
                                            && !name.startsWith(OffTest.class.getName()));
        }
    }
}
