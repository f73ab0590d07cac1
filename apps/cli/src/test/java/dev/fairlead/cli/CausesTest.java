package dev.fairlead.cli;

import static dev.fairlead.test.support.ScriptedHttp.json;
import static dev.fairlead.test.support.ScriptedHttp.respond;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;

import dev.fairlead.cli.Cli.Ran;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.test.support.ClosingTest;
import dev.fairlead.test.support.ScriptedHttp;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The report of a command without a server, with the wrong one, or without such a name. */
@Timeout(600)
class CausesTest extends ClosingTest {

    private static final String DISCOVERED =
            """
            "result": {"resultType": "complete", "supportedVersions": ["2026-07-28"], "ttlMs": 0,
              "cacheScope": "private", "capabilities": {"tools": {}}}\
            """;
    private static final String BUSY =
            """
            "error": {"code": -32600, "message": "busy", "data": {"retryable": true}}\
            """;

    @TempDir Path folder;

    /** The message, which is the same in both outputs. */
    private static String failure(int status, String... typed) {
        Ran ran = Cli.run(typed);
        assertThat(ran.status()).as(ran.err()).isEqualTo(status);
        String message =
                ((JsonObject) JsonValue.parse(ran.out())).object("error").string("message");
        assertThat(ran.err()).contains("fairlead: " + message);
        return message;
    }

    private static String ping(String target) {
        return failure(ExitStatus.NO_ANSWER, "ping", "--json", "--timeout", "500000", target);
    }

    /** A page of a web server: the same for every request. */
    private String page(int status, String type, String text) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    exchange.getRequestBody().readAllBytes();
                    respond(exchange, status, type, text);
                });
        server.start();
        closedLater(() -> server.stop(0));
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** A server of revision 2026-07-28 that refuses all calls for now; keeps the methods. */
    private String busy(List<String> methods) throws IOException {
        HttpServer server = ScriptedHttp.create();
        server.createContext(
                "/mcp",
                exchange -> {
                    JsonObject request = (JsonObject) JsonValue.parse(ScriptedHttp.body(exchange));
                    String method = request.string("method");
                    methods.add(method);
                    boolean discovers = method.equals("server/discover");
                    json(
                            exchange,
                            discovers ? 200 : 429,
                            "{\"jsonrpc\": \"2.0\", \"id\": %s, %s}"
                                    .formatted(request.get("id"), discovers ? DISCOVERED : BUSY));
                });
        server.start();
        closedLater(() -> server.stop(0));
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/mcp";
    }

    @Test
    void aCallThatIsRefusedForNowIsFollowedByNoOtherRequest() throws Exception {
        List<String> methods = new CopyOnWriteArrayList<>();
        String url = busy(methods);
        assertThat(failure(ExitStatus.REFUSED, "tools", "call", "forecast", "--json", url))
                .isEqualTo("busy");
        assertThat(methods).containsExactly("server/discover", "tools/call");
    }

    /** A server that greets each connection with this text and closes it; null keeps silent. */
    private String raw(String greeting) throws IOException {
        ServerSocket server = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"));
        closedLater(server);
        Thread.ofVirtual()
                .start(
                        () -> {
                            while (!server.isClosed()) {
                                try {
                                    Socket socket = server.accept();
                                    if (greeting == null) {
                                        closedLater(socket);
                                        continue;
                                    }
                                    socket.getOutputStream()
                                            .write(greeting.getBytes(StandardCharsets.US_ASCII));
                                    if (greeting.isEmpty()) { // an end could overtake a greeting
                                        socket.shutdownOutput();
                                    }
                                    socket.getInputStream().transferTo(System.err);
                                    socket.close();
                                } catch (IOException e) {
                                    // the test has ended, or the client hung up
                                }
                            }
                        });
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    @Nested
    class OverHttp {
        @Test
        void nothingListens() throws Exception {
            try (Socket taken = new Socket()) {
                taken.bind(new InetSocketAddress("127.0.0.1", 0));
                int port = taken.getLocalPort();
                String url = "http://127.0.0.1:" + port + "/mcp";

                assertThat(ping(url))
                        .isEqualTo(
                                "server/discover failed: the server at "
                                        + url
                                        + " cannot be reached: connection refused; nothing listens"
                                        + " on port "
                                        + port);
            }
        }

        @Test
        void thereIsNoSuchHost() {
            assertThat(ping("http://no-such-host.invalid/mcp"))
                    .endsWith(" cannot be reached: there is no host no-such-host.invalid");
        }

        @Test
        void nothingIsAnswered() throws Exception {
            assertThat(
                            failure(
                                    ExitStatus.NO_ANSWER,
                                    "ping",
                                    "--json",
                                    "--timeout",
                                    "1000",
                                    raw(null) + "/mcp"))
                    .containsPattern("within (1 s|1000 ms)"); // of the request, or of the command
        }

        @Test
        void aSchemeIsMissing() {
            assertThat(failure(ExitStatus.USAGE, "ping", "--json", "localhost:3000"))
                    .startsWith(
                            "did you mean http://localhost:3000/mcp? \"localhost:3000\" is"
                                    + " neither");
            assertThat(failure(ExitStatus.USAGE, "ping", "--json", "example.com/mcp"))
                    .startsWith("did you mean https://example.com/mcp? ");
        }

        @ParameterizedTest
        @CsvSource({"200", "404", "405", "400", "500"})
        void itIsAWebSite(int status) throws Exception {
            String site = page(status, "text/html; charset=utf-8", "<html>Welcome</html>");

            assertThat(ping(site + "/"))
                    .startsWith(
                            (status == 500 ? "server/discover" : "initialize")
                                    + " failed: the server at "
                                    + site
                                    + "/ answered with status "
                                    + status)
                    .endsWith("; this is no MCP endpoint, did you mean " + site + "/mcp?");
            assertThat(ping(site + "/mcp")).endsWith("; there is no MCP endpoint at this URL");
        }

        @ParameterizedTest
        @CsvSource({"502", "503", "504"})
        void aProxyHasAPageForAnEndpointThatIsAway(int status) throws Exception {
            String site = page(status, "text/html", "<html>Bad gateway</html>");

            assertThat(ping(site + "/mcp")).endsWith("/mcp answered with status " + status);
        }

        @Test
        void theEndpointIsElsewhere() throws Exception {
            try (LocalShowcase server = new LocalShowcase()) {
                assertThat(ping(server.url().replace("/mcp", "/")))
                        .endsWith(
                                "status 404; this is no MCP endpoint, did you mean "
                                        + server.url()
                                        + "?");
            }
        }

        @Test
        void itIsNoHttpServer() throws Exception {
            assertThat(ping(raw("SSH-2.0-OpenSSH_9.6\r\n") + "/mcp"))
                    .endsWith(" does not speak HTTP");
        }

        @Test
        void itClosesTheConnection() throws Exception {
            assertThat(ping(raw("") + "/mcp"))
                    .endsWith(
                            " was lost before the response came; if the server uses TLS, use"
                                    + " https://");
        }

        @Test
        void itDoesNotUseTls() throws Exception {
            String site = raw("HTTP/1.1 400 Bad Request\r\n\r\n");

            assertThat(ping(site.replace("http:", "https:") + "/mcp"))
                    .contains("TLS with https://")
                    .endsWith(" failed: the server does not use TLS; use http://");
        }
    }

    @Nested
    class OverStdio {
        private String ping(String... command) {
            List<String> typed = new ArrayList<>(List.of("ping", "--json", "--"));
            typed.addAll(List.of(command));
            return failure(ExitStatus.NO_ANSWER, typed.toArray(String[]::new));
        }

        @Test
        void thereIsNoSuchProgram() {
            assertThat(ping("fairlead-no-such-program"))
                    .isEqualTo(
                            "the server cannot be reached: cannot start the server process"
                                    + " fairlead-no-such-program: no such program on the PATH");
            assertThat(ping("/no/such/program")).endsWith(" /no/such/program: no such file");
        }

        @Test
        void theFileIsNotExecutable() throws Exception {
            Path file = Files.writeString(folder.resolve("server"), "#!/bin/sh\n");

            assertThat(ping(file.toString())).endsWith(": the file is not executable");
        }

        @Test
        void theProgramEndsAtOnce() {
            assertThat(
                            ping(
                                    "sh",
                                    "-c",
                                    "echo starting >&2; echo 'no key: set \033[1mWEATHER_KEY' >&2;"
                                            + " exit 3"))
                    .endsWith(
                            "the server process sh ended with exit status 3; its standard error"
                                    + " ends with: starting / no key: set \\u001b[1mWEATHER_KEY");
        }

        @Test
        void onlyTheLastLinesAreRepeated() {
            assertThat(ping("sh", "-c", "seq 1 1000 >&2; exit 3"))
                    .endsWith("its standard error ends with: 996 / 997 / 998 / 999 / 1000");
        }
    }

    @Nested
    class Names {
        @Test
        void aCommandIsUnknown() {
            assertThat(failure(ExitStatus.USAGE, "tool", "list", "--json"))
                    .startsWith(
                            "unknown command 'tool'; did you mean \"tools\"? commands of"
                                    + " fairlead: ");
            assertThat(failure(ExitStatus.USAGE, "tools", "lsit", "--json"))
                    .startsWith("unknown command 'lsit'; did you mean \"list\"? ");
            assertThat(failure(ExitStatus.USAGE, "tools", "xyzzy", "--json"))
                    .startsWith("unknown command 'xyzzy'; commands of fairlead tools: ");
            assertThat(failure(ExitStatus.USAGE, "tools", "list", "--jsno", "--json", "x"))
                    .startsWith(
                            "unknown option '--jsno'; did you mean \"--json\"? fairlead tools"
                                    + " list ");
        }

        @Test
        void aToolOrAPromptIsUnknown() throws Exception {
            try (LocalShowcase server = new LocalShowcase()) {
                Ran tool = Cli.run("tools", "call", "interop-ecko", "--json", server.url());
                assertThat(tool.status()).isEqualTo(ExitStatus.REFUSED);
                assertThat(tool.err()).endsWith("; did you mean \"interop_echo\"?\n");
                assertThat(tool.out()).as("the error of the server").doesNotContain("did you mean");

                assertThat(Cli.run("prompts", "get", "interop_prom", server.url()).err())
                        .endsWith("; did you mean \"interop_prompt\"?\n");
                assertThat(Cli.run("tools", "call", "xyzzy", server.url()).err())
                        .doesNotContain("did you mean");
            }
        }
    }

    @Test
    void aDeclinedQuestionIsReported() throws Exception {
        try (LocalShowcase server = new LocalShowcase()) {
            Ran ran =
                    Cli.run(
                            "tools",
                            "call",
                            "test_elicitation",
                            "--args",
                            "{\"message\": \"Who\\nare you?\"}",
                            server.url());

            assertThat(ran.err())
                    .contains(
                            "fairlead: the server asked \"Who are you?\" (a form); declined,"
                                    + " because there is no terminal or --json is set: answer"
                                    + " with --elicit JSON\n");
        }
    }
}
