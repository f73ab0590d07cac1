package dev.fairlead.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.support.Logged;
import dev.fairlead.testing.McpTest;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.logging.Level;

/** The time to live that a client asks for, and a task that another process finds by its text. */
class TaskTtlTest {
    private static McpServer.Builder reports() {
        return McpServer.named("reports", "1")
                .tool("report", "Writes a report", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle((none, call) -> "done");
    }

    @ParameterizedTest
    @EnumSource(
            value = Revision.class,
            names = {"V2025_11_25", "V2026_07_28"})
    void aTtlWithoutEffectIsWarnedOfOnce(Revision revision) throws Exception {
        try (Logged logged = new Logged("dev.fairlead.client.link.RequestLink", Level.WARNING);
                McpTest test = McpTest.of(reports()).revision(revision)) {
            McpClient client = test.client();
            var report =
                    client.tool("report", JsonObject.class, String.class)
                            .withTaskTtl(Duration.ofHours(2));
            var started = report.start(JsonObject.EMPTY);
            report.call(JsonObject.EMPTY);
            String id = started.id().orElseThrow().value();
            assertThat(client.task(new TaskId(id), String.class).await(Duration.ofMinutes(1)))
                    .isEqualTo("done");
            if (revision == Revision.V2025_11_25) {
                assertThat(client.getTask(new TaskId(id)).ttl())
                        .isEqualTo(Duration.ofHours(2).toMillis());
                assertThat(logged.lines()).isEmpty();
            } else {
                assertThat(logged.lines())
                        .singleElement()
                        .asString()
                        .startsWith("WARNING A task is not kept for the 7200000 ms")
                        .contains("leave withTaskTtl out");
            }
        }
    }
}
