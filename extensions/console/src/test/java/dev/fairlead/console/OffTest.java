package dev.fairlead.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
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

/** Classes that a program loads for a console that is not switched on, or at which no page is. */
@Timeout(120)
class OffTest {
    record Echo(String text) {}

    /** Serves with or without a console, and calls itself once. */
    static final class Program {
        private Program() {}

        /**
         * @param arguments {@code on} for a console
         */
        public static void main(String[] arguments) throws Exception {
            HttpListener listener = Http.port(0);
            if (arguments[0].equals("on")) {
                listener = listener.console(Console.local());
            }
            try (McpServer server =
                            McpServer.named("plain", "1")
                                    .tool("echo", "Gives back its text", Echo.class, String.class)
                                    .handle((echo, call) -> echo.text())
                                    .build();
                    McpClient client = McpClient.connect(Http.to(server.serve(listener).uri()))) {
                client.callTool("echo", JsonObject.of("text", "hello"));
            }
        }
    }

    @Test
    void aServerWithoutAConsoleLoadsNoneOfItsClasses(@TempDir Path folder) throws Exception {
        assertThat(loaded(folder, "off"))
                .contains("dev.fairlead.server.McpServer")
                .noneMatch(
                        name ->
                                name.startsWith("dev.fairlead.console.")
                                        && !name.startsWith(OffTest.class.getName()));
    }

    /** An interceptor would have the parameters and the result of each call read as a whole. */
    @Test
    void aConsoleWithoutAPageAddsNoInterceptor(@TempDir Path folder) throws Exception {
        assertThat(loaded(folder, "on"))
                .contains("dev.fairlead.console.watch.CallObserver")
                .doesNotContain(
                        "dev.fairlead.peer.InterceptedCall",
                        "dev.fairlead.server.call.InboundContext");
    }

    /** Returns the classes of this project that the program has loaded. */
    private static List<String> loaded(Path folder, String console) throws Exception {
        Path log = folder.resolve("classes");
        List<String> command = new ArrayList<>(ChildJvm.command(Program.class, console));
        command.add(1, "-Xlog:class+load:file=" + log + ":none");
        int status =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("out").toFile())
                        .start()
                        .waitFor();
        assertThat(status).as(Files.readString(folder.resolve("out"))).isZero();
        try (Stream<String> lines = Files.lines(log)) {
            return lines.map(line -> line.split(" ", 2)[0])
                    .filter(name -> name.startsWith("dev.fairlead."))
                    .toList();
        }
    }
}
