package dev.fairlead.console.watch;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.ServerOperator;
import dev.fairlead.protocol.ServerOperator.TaskAct;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;
import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The trails of tasks. */
class TaskTrailsTest {
    record NoInput() {}

    private final McpServer server =
            McpServer.named("harbour", "1")
                    .tasks(Tasks.inMemory())
                    .tool("refit", "Refits a ship", NoInput.class, String.class)
                    .task(TaskSupport.OPTIONAL)
                    .handle((none, call) -> "Refitted")
                    .build();
    private final ServerOperator operator = server.host().operator().orElseThrow();
    private final List<JsonObject> reports = new ArrayList<>();
    private final TaskTrails trails = new TaskTrails(operator, () -> List.copyOf(reports));

    @AfterEach
    void close() {
        trails.close();
        server.close();
    }

    private static TaskAct act(String task, String detail) {
        return new TaskAct(task, "created", Instant.EPOCH, "ann", detail);
    }

    @Test
    void aTaskHasTheActsOnIt() throws Exception {
        try (McpClient client = McpClient.connect(server.inProcess())) {
            client.startTool(new CallToolRequest("refit", JsonObject.EMPTY));
            String reference = operator.tasks(10).getFirst().reference();
            assertThat(trails.known().trails()).containsOnlyKeys(reference);
            assertThat(trails.known().trails().get(reference).elements())
                    .anySatisfy(
                            act ->
                                    assertThat(((JsonObject) act).string("kind"))
                                            .isEqualTo("created"));
        }
    }

    @Test
    void actsAreBounded() {
        for (int i = 0; i < 5_000; i++) {
            trails.accept(act("one", "x".repeat(10_000)));
        }
        trails.accept(act("other", ""));
        assertThat(trails.known().trails()).containsOnlyKeys("one", "other");
        assertThat(trails.known().trails().get("one").elements()).hasSize(TaskTrails.MAX_SHOWN);
        assertThat(trails.known().trails().get("one").toJson()).hasSizeLessThan(10_000);
    }

    @Test
    void actsOfOtherNodesAreAmongThoseOfThisNode() {
        TaskTrails other = new TaskTrails(operator, List::of);
        other.accept(new TaskAct("one", "cancelled", Instant.ofEpochMilli(2), "an operator", ""));
        trails.accept(new TaskAct("one", "created", Instant.ofEpochMilli(1), "ann", ""));
        trails.accept(new TaskAct("one", "finished", Instant.ofEpochMilli(3), "ann", ""));
        reports.add(other.report());
        other.close();

        assertThat(trails.known().trails().get("one").elements())
                .extracting(act -> ((JsonObject) act).string("kind"))
                .containsExactly("finished", "cancelled", "created");
    }

    @Test
    void handlersOnOtherNodesAreAlive() {
        reports.add(JsonObject.of("running", List.of("one", "two")));
        assertThat(trails.known().running()).containsExactlyInAnyOrder("one", "two");
    }

    @Test
    void reportsThatCannotBeReadCostNothingElse() {
        reports.add(JsonObject.of("acts", "none", "running", 7));
        reports.add(JsonObject.of("running", List.of(1, "one")));
        reports.add(
                JsonObject.of(
                        "acts",
                        List.of(
                                "act",
                                JsonObject.of("task", "one", "kind", "created"),
                                JsonObject.of(
                                        "task", "one", "kind", 1, "at", 1, "owner", "", "detail",
                                        ""),
                                JsonObject.of(
                                        "task",
                                        "one",
                                        "kind",
                                        "created",
                                        "at",
                                        1,
                                        "owner",
                                        "x".repeat(1_000),
                                        "detail",
                                        "\u202E"))));

        TaskTrails.Known known = trails.known();
        assertThat(known.running()).containsExactly("one");
        assertThat(known.trails().get("one").elements()).hasSize(1);
        assertThat(known.trails().get("one").toJson())
                .hasSizeLessThan(300)
                .doesNotContain("\u202E");
    }

    @Test
    void aReportIsBounded() {
        for (int i = 0; i < TaskTrails.MAX_ACTS; i++) {
            trails.accept(act("task " + i, "\u202E".repeat(1_000)));
        }
        assertThat(trails.report().array("acts").elements()).hasSize(TaskTrails.MAX_REPORTED);
        assertThat(trails.report().toJson().getBytes(UTF_8)).hasSizeLessThan(1 << 20);
    }
}
