package dev.fairlead.showcase;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;

class ServeHttpTest {
    private static final String INITIALIZE =
            """
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25",
             "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}\
            """;

    private static final String RECEIVED =
            "[0-9:.]+ FINER received \\[http [0-9A-Za-z]{10}] .*\"initialize\".*";
    private static final String SENT = " FINER sent [http 127.0.0.1] 200, ";

    private static HttpResponse<String> post(String url, String body) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                    HttpRequest.newBuilder(URI.create(url))
                            .header("Content-Type", "application/json")
                            .header("Accept", "application/json, text/event-stream")
                            .POST(HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void thePortOfTheEnvironmentIsTaken() throws Exception {
        int attempts = 1;
        while (!listensWhereTheEnvironmentSays()) {
            assertThat(attempts++).as("ports that others took meanwhile").isLessThan(5);
        }
    }

    /** False if somebody else took the port before the program did. */
    private static boolean listensWhereTheEnvironmentSays() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        try (LocalServe program = LocalServe.start(Map.of("PORT", Integer.toString(port)))) {
            String line = program.line();
            if (line.isEmpty()) {
                assertThat(program.errors()).contains(Integer.toString(port));
                return false;
            }
            assertThat(line).isEqualTo("listening on http://127.0.0.1:" + port + "/mcp");
            return true;
        }
    }

    @Test
    void aPortThatIsTakenIsOneLineAndExitStatus1() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
                LocalServe program =
                        LocalServe.start("--http", "127.0.0.1:" + taken.getLocalPort())) {
            assertThat(program.status()).isEqualTo(1);
            assertThat(program.output()).isEmpty();
            assertThat(program.errors().lines())
                    .singleElement()
                    .asString()
                    .startsWith("fairlead serve: ")
                    .contains(Integer.toString(taken.getLocalPort()));
        }
    }

    @Test
    void onThisMachineItHasAConsoleWhoseTokenIsNowhereInItsOutput() throws Exception {
        try (LocalServe program = LocalServe.start("--http", "127.0.0.1:0")) {
            String url = program.url();
            assertThat(statusOfConsole(url)).isEqualTo(200);
            assertThat(program.output() + program.errors()).doesNotContain("token");
        }
        try (LocalServe program = LocalServe.start("--http", "127.0.0.1:0", "--bench")) {
            assertThat(statusOfConsole(program.url())).isEqualTo(404);
        }
        try (LocalServe program = LocalServe.start("--http", "0.0.0.0:0")) {
            String url = program.url().replace("0.0.0.0", "127.0.0.1");
            assertThat(statusOfConsole(url)).isEqualTo(404);
        }
    }

    private static int statusOfConsole(String url) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create(url).resolve("/console/")).build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }

    @Test
    void withoutSessionsAnAnswerCarriesItsProgressAndNoSessionIsNamed() throws Exception {
        try (LocalServe program =
                LocalServe.start("--fixtures", "--http", "127.0.0.1:0", "--stateless")) {
            HttpResponse<String> response = post(program.url(), INITIALIZE);

            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("Mcp-Session-Id")).isEmpty();
            assertThat(response.headers().firstValue("Content-Type").orElse(""))
                    .isIn("application/json", "text/event-stream"); // the latter after 2 s

            HttpResponse<String> call =
                    post(
                            response.uri().toString(),
                            """
                            {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params":
                             {"name": "interop_slow", "arguments": {"ms": 1},
                              "_meta": {"progressToken": 1}}}\
                            """);
            assertThat(call.headers().firstValue("Content-Type")).hasValue("text/event-stream");
            assertThat(call.headers().firstValue("Mcp-Session-Id")).isEmpty();
            assertThat(call.body()).contains("notifications/progress").contains("slept 1");
        }
    }

    @Test
    void theStartIsLoggedOnStandardError() throws Exception {
        try (ChildProcess program = Program.start("--fixtures", "--http", "127.0.0.1:0")) {
            String url = program.url();
            assertThat(program.errors().lines())
                    .singleElement()
                    .asString()
                    .matches(
                            "[0-9:.]+ INFO Server \\S+ \\S+ started on "
                                    + url
                                    + ": [0-9]+ tools, .*");
        }
    }

    @Test
    void tracingPrintsEachFrameOnStandardError() throws Exception {
        try (ChildProcess program =
                Program.start("--fixtures", "--http", "127.0.0.1:0", "--trace")) {
            post(program.url(), INITIALIZE);

            await("both frames")
                    .until(
                            () -> program.errors().lines().toList(),
                            lines ->
                                    lines.stream().anyMatch(line -> line.matches(RECEIVED))
                                            && lines.stream()
                                                    .anyMatch(line -> line.contains(SENT)));
        }
    }

    @Test
    void forMeasuringThereIsOnlyTheToolEchoAndNothingIsLogged() throws Exception {
        try (ChildProcess program = Program.start("--http", "127.0.0.1:0", "--bench");
                McpClient client = McpClient.connect(Http.to(program.url()))) {
            assertThat(client.tools()).extracting(Tool::name).containsExactly("echo");
            assertThat(client.callTool("echo", JsonObject.of("text", "héllo")).withMeta(null))
                    .isEqualTo(CallToolResult.text("héllo"));
            assertThat(client.serverCapabilities().resources()).isFalse();
            assertThat(program.errors()).isEmpty();
        }
    }

    @Test
    void wrongUsageIsExitStatus64AndSaysWhatIsMeant() throws Exception {
        try (LocalServe program = LocalServe.start("--htpp", "127.0.0.1:0")) {
            assertThat(program.status()).isEqualTo(64);
            assertThat(program.output()).isEmpty();
            assertThat(program.errors())
                    .startsWith("fairlead serve: unknown option --htpp\nUsage: fairlead serve");
        }
    }

    @Test
    void helpIsPrintedOnRequest() throws Exception {
        try (LocalServe program = LocalServe.start("--help")) {
            assertThat(program.status()).isZero();
            assertThat(program.output()).startsWith("Usage: fairlead serve");
            assertThat(program.errors()).isEmpty();
        }
    }
}
