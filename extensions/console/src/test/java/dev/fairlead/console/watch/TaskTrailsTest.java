package dev.fairlead.console.watch;

import static org.assertj.core.api.Assertions.assertThat;

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
    private final TaskTrails trails = new TaskTrails(operator);

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
            assertThat(trails.byTask()).containsOnlyKeys(reference);
            assertThat(trails.byTask().get(reference).elements())
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
        assertThat(trails.byTask()).containsOnlyKeys("one", "other");
        assertThat(trails.byTask().get("one").elements()).hasSize(TaskTrails.MAX_SHOWN);
        assertThat(trails.byTask().get("one").toJson()).hasSizeLessThan(10_000);
    }
}
