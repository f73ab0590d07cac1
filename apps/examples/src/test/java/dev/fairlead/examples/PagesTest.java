package dev.fairlead.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;

import dev.fairlead.protocol.Revision;
import dev.fairlead.server.McpServer;
import dev.fairlead.test.support.ChildProcess;
import dev.fairlead.testing.RawPeer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The pages of the examples show real sessions: frames of the client are sent, and those of the
 * server have to come; the input at the terminal is typed again.
 */
class PagesTest {
    private static final Path PAGES =
            Path.of(System.getProperty("basedir", ""))
                    .toAbsolutePath()
                    .resolve("../../docs/examples");
    private static final String DIRECTORY = "/home/ada/notes";

    @TempDir Path folder;

    private static String block(String page, String mark) throws IOException {
        String text = Files.readString(PAGES.resolve(page + ".md"));
        Matcher block =
                Pattern.compile(
                                "<!-- " + mark + ": " + page + " -->\n```\\w+\n(.*?)```\n",
                                Pattern.DOTALL)
                        .matcher(text);
        assertThat(block.find()).as(page).isTrue();
        return block.group(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"calculator", "echo", "hello", "lowlevel"})
    void thePagesShowWhatIsSent(String page) throws Exception {
        McpServer.Builder server =
                switch (page) {
                    case "calculator" -> Calculator.server();
                    case "echo" -> Echo.server();
                    case "hello" -> Hello.server();
                    case "lowlevel" -> Lowlevel.server();
                    default -> throw new IllegalArgumentException(page);
                };
        replay(page, server.build());
    }

    @Test
    void thePageOfSqliteShowsWhatIsSent() throws Exception {
        Path file = SqliteTest.books(folder);
        replay("sqlite", Sqlite.server(file, Duration.ofSeconds(30)).build());
    }

    @Test
    void thePageOfFilesShowsWhatIsSent() throws Exception {
        Files.writeString(folder.resolve("todo.txt"), "Water the plants\n");
        Files.write(folder.resolve("dot.bin"), new byte[] {(byte) 0x89, 0, (byte) 0xff});
        replay("files", new SharedFolder(folder).server().build());
    }

    @Test
    void thePageOfTravelShowsWhatIsSent() throws Exception {
        HttpServer service = Travel.service();
        try {
            replay("travel", new Travel(Travel.uri(service)).server);
        } finally {
            service.stop(0);
        }
    }

    private void replay(String page, McpServer built) throws IOException {
        String frames = block(page, "session").replace(DIRECTORY, folder.toRealPath().toString());
        try (McpServer server = built;
                RawPeer peer = RawPeer.client(server.host())) {
            peer.initialize(Revision.NEWEST_WITH_HANDSHAKE, "{\"elicitation\": {}}");
            for (String frame : frames.split("(?m)^(?=// )")) {
                String json = frame.substring(frame.indexOf('\n') + 1);
                if (frame.startsWith("// client")) {
                    peer.send(json);
                } else if (frame.startsWith("// server")) {
                    peer.expect(json);
                }
            }
        }
    }

    @Test
    void thePageOfTheAssistantShowsWhatThePersonSees() throws Exception {
        String session = block("assistant", "terminal");
        String typed =
                Pattern.compile("> (.*\n)")
                        .matcher(session)
                        .results()
                        .map(line -> line.group(1))
                        .collect(Collectors.joining());
        List<String> command = new ArrayList<>(List.of("assistant"));
        command.addAll(List.of(ExampleProgram.command("teahouse")));
        try (ChildProcess assistant = ExampleProgram.start(command.toArray(String[]::new))) {
            assistant.type(typed);
            assertThat(String.join("\n", assistant.rest()))
                    .isEqualTo(session.replaceAll("> .*\n", "> "));
        }
    }
}
