package dev.fairlead.proofs;

import static dev.fairlead.protocol.TaskSupport.REQUIRED;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.CallToolRequest;
import dev.fairlead.protocol.GetTaskPayloadResult;
import dev.fairlead.protocol.TaskId;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/** A client that leaves the stream of a request while its task goes on. */
@Timeout(120)
final class LeavingTest {
    @Test
    @Requirement("TASK-043")
    void whoWaitsForAResultMayLeaveItsStreamAndComeBackForIt() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (McpServer server =
                        McpServer.named("slow", "1")
                                .tool("report", "Takes long", NoInput.class, String.class)
                                .task(REQUIRED)
                                .handle(
                                        (none, call) -> {
                                            over.await();
                                            return "written";
                                        })
                                .build();
                McpClient client = McpClient.connect(Http.to(server.serve(Http.port(0)).uri()))) {
            TaskId task =
                    client.startTool(new CallToolRequest("report", JsonObject.EMPTY))
                            .id()
                            .orElseThrow();
            FutureTask<GetTaskPayloadResult> waiting =
                    new FutureTask<>(() -> client.taskResult(task));
            Thread leaving = Thread.ofVirtual().start(waiting);
            leaving.interrupt();
            assertThatThrownBy(waiting::get).hasRootCauseInstanceOf(InterruptedException.class);

            over.countDown();
            assertThat(client.taskResult(task).toObject().array("content").toJson())
                    .contains("written");
        }
    }
}
