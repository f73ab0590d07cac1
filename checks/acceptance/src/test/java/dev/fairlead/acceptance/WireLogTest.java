package dev.fairlead.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.test.shared.ProofServer;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;

/** The log of frames, at both ends of each transport. */
@Timeout(120)
class WireLogTest {
    private static final String LOGGER = "dev.fairlead.wire";

    record Login(String user, String password) {}

    record NoInput() {}

    record Token(String access_token, String user) {}

    private static McpServer server() {
        return McpServer.named("test", "1")
                .tool("login", "Logs in", Login.class, Token.class)
                .handle((login, call) -> new Token("opaque-" + login.user(), login.user()))
                .build();
    }

    private static JsonObject login() {
        return JsonObject.of("user", "ann", "password", "hunter2");
    }

    /** Returns a client of sessions. */
    private static McpClient.Builder client() {
        return McpClient.named("desk", "1")
                .revisions(Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE);
    }

    @Test
    void bothEndsOfHttpLogEachFrameWithoutSecrets() throws Exception {
        List<String> lines;
        try (Logged logged = new Logged(LOGGER, Level.FINER);
                McpServer server = server();
                HttpServing serving = server.serve(Http.port(0));
                McpClient client =
                        client().connect(
                                        Http.to(serving.uri())
                                                .header("Authorization", "Bearer s3cret"))) {
            client.callTool("login", login());
            lines = logged.lines();
        }

        assertThat(lines).allMatch(line -> line.startsWith("FINER "));
        assertThat(lines)
                .anyMatch(
                        line ->
                                line.matches(
                                        "FINER received \\[http [0-9A-Za-z]{10}]"
                                                + " .*tools/call.*\"ann\".*"))
                .anyMatch(
                        line ->
                                line.matches(
                                        "FINER sent \\[http [0-9A-Za-z]{10}]"
                                                + " .*structuredContent.*"))
                .anyMatch(line -> line.startsWith("FINER sent [http] {\"jsonrpc\":\"2.0\",\"id\":"))
                .anyMatch(line -> line.startsWith("FINER received [http] {\"jsonrpc\":\"2.0\""))
                .anyMatch(
                        line ->
                                line.startsWith(
                                        "FINER received [http 127.0.0.1] POST /mcp, Host: "))
                .anyMatch(line -> line.startsWith("FINER sent [http 127.0.0.1] 200, "))
                .anyMatch(line -> line.startsWith("FINER sent [http] POST http://127.0.0.1:"))
                .anyMatch(line -> line.contains("Authorization: Bearer ***"))
                .anyMatch(line -> line.contains("\"password\":\"***\""))
                .anyMatch(line -> line.contains("\"access_token\":\"***\""))
                .noneMatch(line -> line.contains("s3cret"))
                .noneMatch(line -> line.contains("hunter2"))
                .noneMatch(line -> line.contains("opaque-ann"));
    }

    @ParameterizedTest
    @EnumSource(
            value = TaskSupport.class,
            names = {"FORBIDDEN", "REQUIRED"})
    void noLogHasStateOrAnswers(TaskSupport task) throws Exception {
        List<String> lines;
        try (Logged logged = new Logged("dev.fairlead", Level.FINEST);
                McpServer server =
                        McpServer.named("test", "1")
                                .tasks(Tasks.inMemory())
                                .tool("login", "Logs in", NoInput.class, Token.class)
                                .task(task)
                                .handle(
                                        (input, call) -> {
                                            call.once("recorded", String.class, () -> "hunter3");
                                            call.elicit("Who?", Login.class);
                                            return new Token("", "");
                                        })
                                .build();
                HttpServing serving = server.serve(Http.port(0));
                McpClient client =
                        McpClient.named("desk", "1")
                                .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                                .onElicitForm(
                                        form ->
                                                Answer.accept(
                                                        JsonObject.of(
                                                                "user",
                                                                "a \"}{ person",
                                                                "password",
                                                                "-")))
                                .connect(Http.to(serving.uri()))) {
            client.callTool("login", JsonObject.EMPTY);
            lines = logged.lines();
        }

        String retry = task == TaskSupport.REQUIRED ? "tasks/update" : "tools/call";
        assertThat(lines)
                .anyMatch(
                        line -> line.contains(retry) && line.contains("\"inputResponses\":\"***\""))
                .noneMatch(line -> line.contains("hunter3"))
                .noneMatch(line -> line.contains("person"))
                .noneMatch(line -> line.contains("\"v1."));
        if (task == TaskSupport.FORBIDDEN) {
            assertThat(lines).anyMatch(line -> line.contains("\"requestState\":\"***\""));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Revision.class,
            names = {"V2025_11_25", "V2026_07_28"})
    void aCancellationIsLoggedAsItWasSent(Revision revision) throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        List<String> lines;
        try (Logged logged = new Logged(LOGGER, Level.FINER);
                McpServer server =
                        McpServer.named("test", "1")
                                .tool("wait", "Waits", Login.class, Token.class)
                                .handle(
                                        (login, call) -> {
                                            running.countDown();
                                            new CountDownLatch(1).await();
                                            return new Token("", "");
                                        })
                                .build();
                HttpServing serving = server.serve(Http.port(0));
                McpClient client =
                        McpClient.named("desk", "1")
                                .revisions(revision, revision)
                                .connect(Http.to(serving.uri()))) {
            Thread caller =
                    Thread.ofVirtual()
                            .start(
                                    () ->
                                            assertThatThrownBy(
                                                            () -> client.callTool("wait", login()))
                                                    .isInstanceOf(InterruptedException.class));
            running.await();
            caller.interrupt();
            caller.join();
            lines = logged.lines();
        }

        String closed = "FINER closed [http] the exchange of request ";
        String cancelled =
                "FINER sent [http] {\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"";
        if (revision == Revision.V2026_07_28) {
            assertThat(lines)
                    .filteredOn(line -> line.startsWith(closed))
                    .singleElement()
                    .asString()
                    .endsWith(" to cancel it");
            assertThat(lines).noneMatch(line -> line.contains("notifications/cancelled"));
        } else {
            assertThat(lines).anyMatch(line -> line.startsWith(cancelled));
            assertThat(lines).noneMatch(line -> line.startsWith(closed));
        }
    }

    @Test
    void bothEndsOfStdioLogEachFrame() throws Exception {
        List<String> lines;
        try (Logged logged = new Logged(LOGGER, Level.FINER);
                McpClient client =
                        client().connect(
                                        Stdio.command(
                                                ChildJvm.command(ProofServer.class)
                                                        .toArray(String[]::new)))) {
            client.ping();
            lines = logged.lines();
        }

        assertThat(lines)
                .anyMatch(line -> line.matches("FINER sent \\[stdio] .*\"method\":\"ping\".*"))
                .anyMatch(line -> line.matches("FINER received \\[stdio] .*\"result\":\\{}.*"));
    }

    @Test
    void nothingIsLoggedUnlessItIsSwitchedOn() throws Exception {
        try (Logged logged = new Logged(LOGGER, Level.FINE);
                McpServer server = server();
                HttpServing serving = server.serve(Http.port(0));
                McpClient client = client().connect(Http.to(serving.uri()))) {
            client.callTool("login", login());

            assertThat(logged.lines()).isEmpty();
        }
    }

    @Test
    void aLongFrameIsCut() throws Exception {
        List<String> lines;
        try (Logged logged = new Logged(LOGGER, Level.FINER);
                McpServer server = server();
                McpClient client = client().connect(server.inProcess())) {
            client.callTool(
                    "login", JsonObject.of("user", "x".repeat(100_000), "password", "hunter2"));
            lines = logged.lines();
        }

        assertThat(lines)
                .allMatch(line -> line.length() < 5_000)
                .anyMatch(line -> line.matches("FINER received .*x… \\([0-9]+ bytes\\)"));
    }
}
