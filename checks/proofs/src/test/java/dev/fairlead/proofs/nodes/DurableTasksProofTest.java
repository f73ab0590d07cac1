package dev.fairlead.proofs.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.shared.RawClient;
import dev.fairlead.test.shared.StreamClient;
import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Outcomes of tasks and calls whose process ends. */
@Tag("proof")
class DurableTasksProofTest {
    private static final String CAPABILITIES = "{\"elicitation\": {}, \"sampling\": {}}";

    @TempDir private Path folder;

    /** How a process ends. */
    enum End {
        KILLED {
            @Override
            void of(ChildProcess program) throws InterruptedException {
                program.kill();
            }
        },
        TERMINATED {
            @Override
            void of(ChildProcess program) throws InterruptedException {
                long start = System.nanoTime();
                program.terminate();
                assertThat(program.exitStatus()).isEqualTo(143);
                assertThat(Duration.ofNanos(System.nanoTime() - start))
                        .isLessThan(Duration.ofSeconds(40));
            }
        };

        abstract void of(ChildProcess program) throws InterruptedException;
    }

    private ChildProcess serve() throws Exception {
        return Program.start(
                "--fixtures",
                "--http",
                "127.0.0.1:0",
                "--store",
                "file:" + folder.resolve("tasks.db"));
    }

    private static StreamClient client(ChildProcess program) throws Exception {
        StreamClient client = new StreamClient(program.url());
        client.initialize(CAPABILITIES);
        return client;
    }

    @ParameterizedTest
    @EnumSource
    @Requirement("TASK-107")
    void tasksContinueInTheNextProcess(End end) throws Exception {
        JsonObject asking;
        JsonObject sampling;
        JsonObject sleeping;
        JsonObject echoing;
        JsonObject reporting;
        JsonObject finished;
        try (ChildProcess program = serve();
                StreamClient client = client(program)) {
            asking = client.start("task_elicit", JsonObject.EMPTY);
            sampling = client.start("task_sample", JsonObject.of("prompt", "Sing"));
            sleeping = client.start("task_sleep_forever", JsonObject.EMPTY);
            echoing = client.start("task_echo", JsonObject.of("text", "a", "delayMs", 3_000));
            reporting = client.start("task_progress", JsonObject.of("steps", 2, "delayMs", 3_000));
            finished = client.start("task_required", JsonObject.of("text", "b"));
            client.awaitStatus(asking, "input_required");
            client.awaitStatus(sampling, "input_required");
            client.awaitStatus(finished, "completed");
            end.of(program);
        }
        try (ChildProcess program = serve();
                StreamClient client = client(program)) {
            RawClient.Pending asked = client.request("tasks/result", RawClient.id(asking));
            client.respond(
                    client.awaitMethod("elicitation/create"), RawClient.accepted("name", "Ada"));
            assertThat(RawClient.text(asked.result())).isEqualTo("Hello Ada");
            RawClient.Pending sampled = client.request("tasks/result", RawClient.id(sampling));
            client.respond(
                    client.awaitMethod("sampling/createMessage"),
                    JsonObject.of(
                            "role",
                            "assistant",
                            "model",
                            "a-model",
                            "content",
                            JsonObject.of("type", "text", "text", "La la")));
            assertThat(RawClient.text(sampled.result())).isEqualTo("La la");

            assertThat(text(client, echoing)).isEqualTo("a");
            assertThat(text(client, reporting)).isEqualTo("done 2");
            assertThat(text(client, finished)).isEqualTo("b");
            assertThat(client.task(sleeping).string("status")).isEqualTo("working");
            assertThat(client.result("tasks/cancel", RawClient.id(sleeping)).string("status"))
                    .isEqualTo("cancelled");
        }
    }

    @Test
    void theEndDoesNotWaitForAStoreThatDoesNotAnswer() throws Exception {
        try (ChildProcess program = serve();
                StreamClient client = client(program)) {
            client.start("task_sleep_forever", JsonObject.EMPTY);
            client.sendUnanswered(
                    "tools/call",
                    RawClient.call("interop_slow", JsonObject.of("ms", 600_000, "steps", 10_000))
                            .with("_meta", JsonObject.of("progressToken", "steps")));
            client.awaitMethod("notifications/progress"); // the call runs
            try (Connection locking =
                            DriverManager.getConnection(
                                    "jdbc:sqlite:" + folder.resolve("tasks.db"));
                    Statement statement = locking.createStatement()) {
                statement.execute("begin immediate");
                program.terminate();

                assertThat(program.exitStatus()).isEqualTo(143);
            }
            assertThat(program.errors())
                    .contains("ended before everything was closed, which took longer than 9 s");
        }
    }

    private static String text(RawClient client, JsonObject task) throws Exception {
        return RawClient.text(client.result("tasks/result", RawClient.id(task)));
    }

    @Test
    void terminationEndsTasksInMemoryInTime() throws Exception {
        try (ChildProcess program = Program.start("--fixtures", "--http", "127.0.0.1:0");
                StreamClient client = client(program)) {
            client.start("task_sleep_forever", JsonObject.EMPTY);
            JsonObject asking = client.start("task_elicit", JsonObject.EMPTY);
            client.sendUnanswered("tasks/result", RawClient.id(asking));
            client.awaitQuestion("elicitation/create", asking); // the server waits for its answer
            End.TERMINATED.of(program);
            assertThat(program.errors().lines()).allMatch(line -> line.contains(" INFO Server "));
        }
    }

    @Test
    void whatTheLibrariesOfADatabaseSayOfTheirProgressIsNotPrinted() throws Exception {
        String store = "file:" + folder.resolve("tasks.db");
        try (ChildProcess program =
                        Program.start("--fixtures", "--http", "127.0.0.1:0", "--store", store);
                StreamClient client = client(program)) {
            client.result("ping", JsonObject.EMPTY);
            End.TERMINATED.of(program);
            assertThat(program.errors().lines())
                    .allMatch(
                            line ->
                                    line.matches(
                                            ".* INFO (Server|Added key 1 of request states) .*"));
        }
    }

    /** The answer to a call that has begun: it has reported progress. */
    @CheckReturnValue
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

    @Test
    void terminationDoesNotWaitForWhateverRuns() throws Exception {
        try (ChildProcess program = Program.start("--fixtures", "--http", "127.0.0.1:0");
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
    void terminationLetsARunningCallFinishAndNothingElseIsPrinted() throws Exception {
        try (ChildProcess program = Program.start("--fixtures", "--http", "127.0.0.1:0")) {
            String url = program.url();
            assertThat(url).matches("http://127\\.0\\.0\\.1:[1-9][0-9]*/mcp");
            try (McpClient client = McpClient.connect(Http.to(url))) {
                FutureTask<CallToolResult> call =
                        beginSlowCall(client, JsonObject.of("ms", 1_000, "steps", 2));
                program.terminate();
                assertThat(call.get(60, TimeUnit.SECONDS).text()).isEqualTo("slept 1000");
            }
            assertThat(program.rest()).isEmpty();
            assertThat(program.exitStatus()).isEqualTo(143);
            assertThat(program.errors())
                    .containsPattern("INFO Server .* stopped on " + Pattern.quote(url) + " after ");
        }
    }

    @Test
    void aCallUnderWayIsAnsweredAfterSigterm() throws Exception {
        try (ChildProcess program = Program.start("--fixtures", "--stdio")) {
            JsonObject wait = JsonObject.of("ms", 1_000, "steps", 2);
            JsonObject params =
                    JsonObject.of(
                            "name",
                            "interop_slow",
                            "arguments",
                            wait,
                            "_meta",
                            JsonObject.of("progressToken", "p"));
            JsonObject request =
                    JsonObject.of(
                            "jsonrpc", "2.0", "id", 1, "method", "tools/call", "params", params);
            String initialize =
                    """
                    {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25",\
                     "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}
                    """;
            program.input().write((initialize + request.toJson() + "\n").getBytes(UTF_8));
            program.input().flush();
            assertThat(program.line()).as("the response to initialize").isPresent();
            assertThat(program.line().orElseThrow()).contains("notifications/progress");
            program.signal("TERM");
            assertThat(program.rest()).anyMatch(line -> line.contains("slept 1000"));
        }
    }
}
