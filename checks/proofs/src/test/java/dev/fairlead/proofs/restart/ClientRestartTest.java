package dev.fairlead.proofs.restart;

import static dev.fairlead.protocol.tools.TaskSupport.REQUIRED;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A client that is killed while its server has a task for it, and it has one for its server. */
@Tag("proof")
@Timeout(900)
final class ClientRestartTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir Path folder;

    private static McpServer server() {
        return McpServer.named("reports", "1")
                .tool("report", "Asks who it is for", NoInput.class, String.class)
                .task(REQUIRED)
                .handle(
                        (none, call) ->
                                "for "
                                        + call.withTask(Duration.ofHours(1))
                                                .elicit("Who?", DeskClient.Name.class)
                                                .orElseThrow()
                                                .name())
                .build();
    }

    private ChildProcess client(HttpServing serving, String... more) throws IOException {
        List<String> command = ChildJvm.command(DeskClient.class);
        command.add(serving.uri().toString());
        command.add(folder.resolve("desk.db").toString());
        command.addAll(List.of(more));
        return ChildProcess.start(command);
    }

    @Test
    @Requirement("TASK-107")
    void theNextProcessAsksThePersonAgainAndFindsTheTaskThatTheFirstOneStarted() throws Exception {
        try (McpServer server = server()) {
            HttpServing serving = server.serve(Http.port(0));
            List<String> said = new ArrayList<>();
            try (ChildProcess first = client(serving)) {
                said.add(first.line(PATIENCE).orElseThrow());
                said.add(first.line(PATIENCE).orElseThrow());
            }
            Collections.sort(said); // two threads say them
            assertThat(said.getFirst()).isEqualTo("asked Who?");
            assertThat(said.getLast()).startsWith("task ");

            String task = said.getLast().substring("task ".length());
            try (ChildProcess second = client(serving, task)) {
                assertThat(second.line(PATIENCE))
                        .as("from its own store: it is not connected yet")
                        .contains("asked Who?");
                second.type("go\n");
                assertThat(second.rest()).last().isEqualTo("result for Ada");
                assertThat(second.exitStatus()).isZero();
            }
        }
    }
}
