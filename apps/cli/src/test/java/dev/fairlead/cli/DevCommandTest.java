package dev.fairlead.cli;

import static dev.fairlead.cli.AtTerminal.CTRL_C;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.test.support.ChildJvm;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/** {@code fairlead dev} as a process of its own, in front of a real program and a real file. */
@Tag("proof")
@Timeout(600)
class DevCommandTest {
    @TempDir Path folder;

    /** A server whose tool returns a text that it has read at its start. */
    static final class TextServer {
        private TextServer() {}

        public static void main(String[] arguments) throws IOException {
            String text = Files.readString(Path.of(arguments[0]));
            if (text.equals("broken")) {
                throw new IllegalStateException("a broken text");
            }
            McpServer.named("text", "1.0.0")
                    .tool("text", "Returns the text", NoInput.class, String.class)
                    .handle((none, call) -> text)
                    .tool("wait", "Never ends", NoInput.class, String.class)
                    .handle(
                            (none, call) -> {
                                call.progress(1, 2, "waiting");
                                new CountDownLatch(1).await();
                                return "";
                            })
                    .build()
                    .serve(Stdio.streams());
        }
    }

    private static String text(McpClient client) throws InterruptedException {
        try {
            return client.callTool("text", JsonObject.EMPTY).text();
        } catch (CallException e) { // between two servers
            return e.getMessage();
        }
    }

    /** The command in front of the server of a file. */
    private static String[] dev(Path file, String... options) {
        List<String> typed = new ArrayList<>(List.of("dev", "--http", "127.0.0.1:0"));
        typed.addAll(List.of("--watch", file.toString()));
        typed.addAll(List.of(options));
        typed.add("--");
        typed.addAll(ChildJvm.command(TextServer.class, file.toString()));
        return typed.toArray(String[]::new);
    }

    @Test
    void aConnectionOverHttpOutlivesTheServersBehindIt() throws Exception {
        Path file = Files.writeString(folder.resolve("text.txt"), "one");
        Process process = new ProcessBuilder(ChildJvm.command(Main.class, dev(file))).start();
        try (BufferedReader out = process.inputReader();
                BufferedReader err = process.errorReader()) {
            String url = out.readLine().substring("listening on ".length());
            try (McpClient client =
                    McpClient.named("desk", "1")
                            .requestTimeout(Duration.ofMinutes(5))
                            .connect(Http.to(url))) {
                assertThat(text(client)).isEqualTo("one");
                CountDownLatch called = new CountDownLatch(1);
                FutureTask<CallToolResult> running =
                        new FutureTask<>(
                                () ->
                                        client.withProgress(progress -> called.countDown())
                                                .callTool("wait", JsonObject.EMPTY));
                Thread.ofVirtual().start(running);
                called.await();

                Files.writeString(file, "broken");
                assertThat(line(err, "fairlead dev: " + file + " changed, but"))
                        .contains("the server does not start", "a broken text");
                assertThat(text(client)).isEqualTo("one");

                Files.writeString(file, "two");
                assertThatThrownBy(running::get)
                        .hasMessageContaining("The server was restarted since " + file);
                assertThat(line(err, "fairlead dev: " + file + " changed;"))
                        .endsWith("the server was restarted");
                String now = text(client);
                while (!now.equals("two")) {
                    now = text(client);
                }
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** Its page is served by the process of the command alone, for people with its address. */
    @Test
    void thePageForItsServerHasAnAddressOnStandardError() throws Exception {
        Path file = Files.writeString(folder.resolve("text.txt"), "one");
        Process process =
                new ProcessBuilder(ChildJvm.command(Main.class, dev(file, "--console"))).start();
        try (BufferedReader err = process.errorReader();
                HttpClient browser = HttpClient.newHttpClient()) {
            String address = line(err, "try the server in a browser at ").replaceAll(".* at ", "");
            assertThat(address).matches("http://127\\.0\\.0\\.1:\\d+/console/#token=[\\w-]{32}");
            URI page = URI.create(address.replaceAll("#.*", ""));
            HttpResponse<String> answer =
                    browser.send(
                            HttpRequest.newBuilder(page).build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(answer.body()).contains("<fairlead-console>");
            process.destroy();
            process.waitFor();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    @Test
    void onATerminalTheAddressIsShownUnlessThePageIsNotWanted() throws Exception {
        Path file = Files.writeString(folder.resolve("text.txt"), "one");
        try (AtTerminal terminal = AtTerminal.run(dev(file))) {
            terminal.sees("try the server in a browser at http://127.0.0.1:").types(CTRL_C);
            terminal.status();
        }
        try (AtTerminal terminal = AtTerminal.run(dev(file, "--no-console"))) {
            terminal.sees("listening on http://127.0.0.1:").types(CTRL_C);
            terminal.status();
            assertThat(terminal.raw()).doesNotContain("in a browser");
        }
    }

    private static String line(BufferedReader lines, String part) throws IOException {
        String line = lines.readLine();
        while (!line.contains(part)) {
            line = lines.readLine();
        }
        return line;
    }

    @Test
    void mistakesAreNamed() {
        assertThat(Cli.run("dev").err()).contains("give the command that starts the server");
        assertThat(Cli.run("dev", "--settle", "1", "--", "x").err())
                .contains("--settle is 50 to 60000 ms but was 1");
        Cli.Ran ran = Cli.run("dev", "--", "/no/such/program");
        assertThat(ran.status()).isEqualTo(3);
        assertThat(ran.err()).contains("/no/such/program");
    }
}
