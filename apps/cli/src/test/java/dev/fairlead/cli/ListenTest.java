package dev.fairlead.cli;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.cli.Cli.Ran;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.test.support.ChildJvm;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

/** {@code fairlead listen} in both eras. */
@Timeout(600)
class ListenTest {
    private static final String TOOLS = "{\"method\":\"notifications/tools/list_changed\"}\n";
    private static final String PROMPTS = "{\"method\":\"notifications/prompts/list_changed\"}\n";
    private static final String RESOURCES =
            "{\"method\":\"notifications/resources/list_changed\"}\n";

    private McpServer server;
    private HttpServing serving;

    /** The answer that a task asks for. */
    record Name(String name) {}

    @BeforeEach
    void serve() throws IOException {
        McpServer.Builder builder = McpServer.named("lists", "1").tasks(Tasks.inMemory());
        builder.tool("upper", "In capitals", Name.class, String.class)
                .task(TaskSupport.REQUIRED)
                .handle((input, call) -> input.name().toUpperCase(Locale.ROOT));
        builder.tool("ask", "Asks for a name", JsonObject.class, String.class)
                .task(TaskSupport.REQUIRED)
                .handle((input, call) -> call.elicit("Who?", Name.class).orElseThrow().name());
        builder.prompt("greet", "Greets", JsonObject.class)
                .handle((input, call) -> GetPromptResult.of());
        builder.resource("test://one", "one", String.class).handle((request, call) -> "1");
        server = builder.build();
        serving = server.serve(Http.port(0));
    }

    @AfterEach
    void stop() throws IOException {
        serving.close();
        server.close();
    }

    private Ran run(String revision, String... typed) {
        List<String> all = new ArrayList<>(List.of(typed));
        all.addAll(List.of("--json", "--revision", revision, serving.uri().toString()));
        return Cli.run(all.toArray(String[]::new));
    }

    private void changeTools() {
        server.update(
                changes ->
                        changes.tool("more", "More", JsonObject.class, String.class)
                                .handle((input, call) -> "")
                                .removeTool("more"));
    }

    private void changePrompts() {
        server.update(
                changes ->
                        changes.prompt("more", "More", JsonObject.class)
                                .handle((input, call) -> GetPromptResult.of())
                                .removePrompt("more"));
    }

    private void changeResources() {
        server.update(
                changes ->
                        changes.resource("test://more", "more", String.class)
                                .handle((request, call) -> "")
                                .removeResource("test://more"));
    }

    /** Listens, while all lists change again and again, for so many changes. */
    private String listen(String revision, int count, String... options)
            throws InterruptedException, ExecutionException {
        List<String> all = new ArrayList<>(List.of("listen", "--count", String.valueOf(count)));
        all.addAll(List.of(options));
        CompletableFuture<Ran> listening =
                CompletableFuture.supplyAsync(() -> run(revision, all.toArray(String[]::new)));
        await("the changes were printed")
                .until(
                        () -> {
                            changeResources();
                            changePrompts();
                            changeTools();
                            return listening.isDone();
                        });
        assertThat(listening.get().status()).as("%s", listening.get()).isZero();
        return listening.get().out();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-07-28", "2025-11-25"})
    void onlyTheListsThatAreNamedArePrinted(String revision) throws Exception {
        assertThat(listen(revision, 2, "--tools")).isEqualTo(TOOLS.repeat(2));
        assertThat(listen(revision, 2, "--prompts")).isEqualTo(PROMPTS.repeat(2));
        assertThat(listen(revision, 2, "--resources")).isEqualTo(RESOURCES.repeat(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-07-28", "2025-11-25"})
    void allListsArePrintedWhereNoneIsNamed(String revision) throws Exception {
        assertThat(listen(revision, 12)).contains(TOOLS, PROMPTS, RESOURCES);
    }

    private Process listenInAProcess(ProcessBuilder.Redirect out) throws IOException {
        List<String> command =
                ChildJvm.command(
                        Main.class,
                        "listen",
                        "--uri",
                        "test://one",
                        "--json",
                        serving.uri().toString());
        return new ProcessBuilder(command).redirectOutput(out).start();
    }

    private void changeAResourceUntilTheEndOf(Process listening) {
        await("the command has ended")
                .until(
                        () -> {
                            server.resourceUpdated("test://one");
                            return !listening.isAlive();
                        });
    }

    @Test
    void itEndsOnceItsReaderHasLeft() throws Exception {
        Process listening = listenInAProcess(ProcessBuilder.Redirect.PIPE);
        listening.getInputStream().close();
        changeAResourceUntilTheEndOf(listening);
        assertThat(listening.errorReader().lines()).isEmpty();
        assertThat(listening.exitValue()).isZero();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void itEndsOnceTheDiskIsFull() throws Exception {
        Process listening = listenInAProcess(ProcessBuilder.Redirect.to(new File("/dev/full")));
        changeAResourceUntilTheEndOf(listening);
        assertThat(listening.errorReader().lines())
                .containsExactly(
                        "fairlead: standard output could not be written: No space left on device");
        assertThat(listening.exitValue()).isEqualTo(74);
    }

    @Test
    void inASessionItEndsWithItsServer() {
        Ran ran = Cli.run(Cli.on("leaves", "listen", "--json"));
        assertThat(ran.status()).as("%s", ran).isEqualTo(3);
        assertThat(ran.out()).startsWith("{\"error\":{\"message\":\"");
    }

    @Test
    void itEndsWhenItsTimeIsOver() {
        Ran counted =
                Cli.runUntilReached(
                        ran -> ran.out().contains("0 of 1 changes within "),
                        timeout -> listen(timeout, "--count", "1"));
        assertThat(counted.status()).as("%s", counted).isEqualTo(3);
        assertThat(counted.out()).containsPattern("0 of 1 changes within \\d+ ms \\(--timeout\\)");
        Ran all = Cli.runUntilReached(ran -> ran.status() == 0, timeout -> listen(timeout));
        assertThat(all).isEqualTo(new Ran(0, "", all.err()));
    }

    private static String[] listen(int timeout, String... more) {
        Stream<String> bounded = Stream.of("listen", "--json", "--timeout", "" + timeout);
        return Cli.on("calm", Stream.concat(bounded, Stream.of(more)).toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-07-28", "2025-11-25"})
    void aListWhoseChangesTheServerDoesNotDeclareIsRefused(String revision) throws Exception {
        McpServer.Builder tools = McpServer.named("tools", "1");
        tools.tool("upper", "In capitals", Name.class, String.class)
                .handle((input, call) -> input.name().toUpperCase(Locale.ROOT));
        try (McpServer only = tools.build();
                HttpServing at = only.serve(Http.port(0))) {
            Ran ran =
                    Cli.run(
                            "listen",
                            "--tools",
                            "--prompts",
                            "--json",
                            "--revision",
                            revision,
                            at.uri().toString());
            assertThat(ran.status()).as("%s", ran).isEqualTo(2);
            assertThat(ran.out())
                    .isEqualTo(
                            "{\"error\":{\"code\":-32601,\"message\":\"listen --prompts needs the"
                                    + " capability prompts.listChanged of the peer\"}}\n");
        }
    }

    @Test
    void aServerThatDeclaresNoChangesOfListsIsRefused() {
        Ran ran = Cli.run(Cli.on("plain", "listen", "--json"));
        assertThat(ran.status()).as("%s", ran).isEqualTo(2);
        assertThat(ran.out())
                .isEqualTo(
                        "{\"error\":{\"code\":-32601,\"message\":\"listen needs one of the"
                                + " capabilities tools.listChanged, prompts.listChanged and"
                                + " resources.listChanged of the peer\"}}\n");
    }

    private JsonObject start(String revision, String tool, String... arguments) {
        List<String> call = new ArrayList<>(List.of("tools", "call", tool, "--task", "--no-wait"));
        call.addAll(List.of(arguments));
        Ran ran = run(revision, call.toArray(String[]::new));
        assertThat(ran.status()).as("%s", ran).isZero();
        return (JsonObject) JsonValue.parse(ran.out());
    }

    private String status(String revision, String task) {
        return ((JsonObject) JsonValue.parse(run(revision, "tasks", "get", task).out()))
                .string("status");
    }

    private JsonObject taskNotification(String revision, String task, String status) {
        await("the task is " + status)
                .untilAsserted(() -> assertThat(status(revision, task)).isEqualTo(status));
        Ran ran = run(revision, "listen", "--task", task, "--count", "1");
        assertThat(ran.status()).as("%s", ran).isZero();
        assertThat(status(revision, task)).as("after it was listened to").isEqualTo(status);
        return (JsonObject) JsonValue.parse(ran.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ask", "upper"})
    void aTaskIsPrintedWithWhatBelongsToItsStatus(String tool) {
        String id = start("2026-07-28", tool, "name=ada").string("taskId");
        boolean asks = tool.equals("ask");
        JsonObject told = taskNotification("2026-07-28", id, asks ? "input_required" : "completed");
        assertThat(told.string("method")).isEqualTo("notifications/tasks");
        JsonObject params = told.object("params");
        assertThat(params.string("taskId")).isEqualTo(id);
        assertThat(params.names())
                .contains("ttlMs", asks ? "inputRequests" : "result")
                .doesNotContain("ttl", "pollInterval", "resultType");
        assertThat(params.object(asks ? "inputRequests" : "result").toJson())
                .contains(asks ? "Who?" : "ADA");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ask", "upper"})
    void inASessionATaskIsPrintedAsItsStatus(String tool) {
        String id = start("2025-11-25", tool, "name=ada").object("task").string("taskId");
        JsonObject told =
                taskNotification(
                        "2025-11-25", id, tool.equals("ask") ? "input_required" : "completed");
        assertThat(told.string("method")).isEqualTo("notifications/tasks/status");
        assertThat(told.object("params").string("taskId")).isEqualTo(id);
        assertThat(told.object("params").names())
                .contains("ttl")
                .doesNotContain("ttlMs", "inputRequests", "result");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-07-28", "2025-11-25"})
    void aTimeToLiveWithoutEffectIsReported(String revision) {
        Ran ran = run(revision, "tools", "call", "upper", "name=ada", "--task", "--ttl", "60000");
        assertThat(ran.status()).isZero();
        assertThat(ran.err().contains("--ttl has no effect"))
                .isEqualTo(revision.equals("2026-07-28"));
    }
}
