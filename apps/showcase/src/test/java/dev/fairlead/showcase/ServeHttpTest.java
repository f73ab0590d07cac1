package dev.fairlead.showcase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
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
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

class ServeHttpTest {
    private static final String INITIALIZE =
            """
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25",
             "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}\
            """;

    /** The answer to a call that has begun: it has reported progress. */
    private static FutureTask<CallToolResult> beginSlowCall(McpClient client, JsonObject arguments)
            throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        FutureTask<CallToolResult> call =
                new FutureTask<>(
                        () ->
                                client.withProgress(progress -> begun.countDown())
                                        .withTimeout(Duration.ofSeconds(100))
                                        .callTool("interop_slow", arguments));
        Thread.ofVirtual().name("test-slow-call").start(call);
        assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
        return call;
    }

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
    void terminationLetsARunningCallFinishAndNothingElseIsPrinted() throws Exception {
        try (ChildProcess program = Program.start("--http", "127.0.0.1:0")) {
            String url = program.url();
            assertThat(url).matches("http://127\\.0\\.0\\.1:[1-9][0-9]*/mcp");
            try (McpClient client = McpClient.connect(Http.to(url))) {
                FutureTask<CallToolResult> call =
                        beginSlowCall(client, JsonObject.of("ms", 2_000, "steps", 20));
                program.terminate();
                assertThat(call.get(60, TimeUnit.SECONDS).text()).isEqualTo("slept 2000");
            }
            assertThat(program.rest()).isEmpty();
            assertThat(program.exitStatus()).isEqualTo(143);
            assertThat(program.errors())
                    .containsPattern("INFO Server .* stopped on " + Pattern.quote(url) + " after ");
        }
    }

    @Test
    void terminationDoesNotWaitForWhateverRuns() throws Exception {
        try (ChildProcess program = Program.start("--http", "127.0.0.1:0");
                McpClient client =
                        McpClient.connect(
                                Http.to(program.url())
                                        .reconnect(
                                                0, Duration.ofSeconds(1), Duration.ofSeconds(1)))) {
            FutureTask<CallToolResult> call =
                    beginSlowCall(client, JsonObject.of("ms", 600_000, "steps", 10_000));
            long start = System.nanoTime();
            program.terminate();
            program.exitStatus();

            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isLessThan(Duration.ofSeconds(40));
            assertThatThrownBy(() -> call.get(60, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(CallException.class);
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
        try (ChildProcess program = Program.start(Map.of("PORT", Integer.toString(port)))) {
            Optional<String> line = program.line();
            if (line.isEmpty()) {
                assertThat(program.errors()).contains(Integer.toString(port));
                return false;
            }
            assertThat(line).hasValue("listening on http://127.0.0.1:" + port + "/mcp");
            return true;
        }
    }

    @Test
    void aPortThatIsTakenIsOneLineAndExitStatus1() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ChildProcess program =
                        Program.start("--http", "127.0.0.1:" + taken.getLocalPort())) {
            assertThat(program.exitStatus()).isEqualTo(1);
            assertThat(program.rest()).isEmpty();
            assertThat(program.errors().lines())
                    .singleElement()
                    .asString()
                    .startsWith("fairlead serve: ")
                    .contains(Integer.toString(taken.getLocalPort()));
        }
    }

    @Test
    void withoutSessionsAnswersAreJsonAndNoSessionIsNamed() throws Exception {
        try (ChildProcess program = Program.start("--http", "127.0.0.1:0", "--stateless")) {
            HttpResponse<String> response = post(program.url(), INITIALIZE);

            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("Mcp-Session-Id")).isEmpty();
            assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");

            HttpResponse<String> call =
                    post(
                            response.uri().toString(),
                            """
                            {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params":
                             {"name": "interop_slow", "arguments": {"ms": 1},
                              "_meta": {"progressToken": 1}}}\
                            """);
            assertThat(call.headers().firstValue("Content-Type")).hasValue("application/json");
            assertThat(call.body()).contains("slept 1");
        }
    }

    @Test
    void theStartIsLoggedOnStandardErrorAndForMeasuringNothingIs() throws Exception {
        try (ChildProcess program = Program.start("--http", "127.0.0.1:0")) {
            String url = program.url();
            assertThat(program.errors().lines())
                    .singleElement()
                    .asString()
                    .matches(
                            "[0-9:.]+ INFO Server \\S+ \\S+ started on "
                                    + url
                                    + ": [0-9]+ tools, .*");
        }
        try (ChildProcess program = Program.start("--http", "127.0.0.1:0", "--bench")) {
            post(program.url(), INITIALIZE);
            assertThat(program.errors()).isEmpty();
        }
    }

    @Test
    void tracingPrintsEachFrameOnStandardError() throws Exception {
        try (ChildProcess program = Program.start("--http", "127.0.0.1:0", "--trace")) {
            post(program.url(), INITIALIZE);

            assertThat(program.errors().lines())
                    .anyMatch(
                            line ->
                                    line.matches(
                                            "[0-9:.]+ FINER received \\[http [0-9A-Za-z]{10}]"
                                                    + " .*\"initialize\".*"))
                    .anyMatch(line -> line.contains(" FINER sent [http 127.0.0.1] 200, "));
        }
    }

    @Test
    void forMeasuringThereIsOnlyTheToolEcho() throws Exception {
        try (ChildProcess program = Program.start("--http", "127.0.0.1:0", "--bench");
                McpClient client = McpClient.connect(Http.to(program.url()))) {
            assertThat(client.tools()).extracting(Tool::name).containsExactly("echo");
            assertThat(client.callTool("echo", JsonObject.of("text", "héllo")).withMeta(null))
                    .isEqualTo(CallToolResult.text("héllo"));
            assertThat(client.serverCapabilities().resources()).isFalse();
        }
    }

    @Test
    void wrongUsageIsExitStatus64AndSaysWhatIsMeant() throws Exception {
        try (ChildProcess program = Program.start("--htpp", "127.0.0.1:0")) {
            assertThat(program.exitStatus()).isEqualTo(64);
            assertThat(program.rest()).isEmpty();
            assertThat(program.errors())
                    .startsWith("fairlead serve: unknown option --htpp\nUsage: fairlead serve");
        }
    }

    @Test
    void helpIsPrintedOnRequest() throws Exception {
        try (ChildProcess program = Program.start("--help")) {
            assertThat(program.exitStatus()).isZero();
            assertThat(program.rest()).first().asString().startsWith("Usage: fairlead serve");
            assertThat(program.errors()).isEmpty();
        }
    }
}
