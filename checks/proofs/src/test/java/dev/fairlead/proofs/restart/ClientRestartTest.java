package dev.fairlead.proofs.restart;

import static dev.fairlead.protocol.tools.TaskSupport.REQUIRED;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.support.ChildJvm;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A client that is killed while its server has a task for it, and it has one for its server. */
@Tag("proof")
@Timeout(900)
final class ClientRestartTest {
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

    private Process client(HttpServing serving, String... more) throws IOException {
        List<String> command = ChildJvm.command(DeskClient.class);
        command.add(serving.uri().toString());
        command.add(folder.resolve("desk.db").toString());
        command.addAll(List.of(more));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    @Test
    @Requirement("TASK-107")
    void theNextProcessAsksThePersonAgainAndFindsTheTaskThatTheFirstOneStarted() throws Exception {
        try (McpServer server = server()) {
            HttpServing serving = server.serve(Http.port(0));
            Process first = client(serving);
            List<String> said =
                    Stream.of(first.inputReader().readLine(), first.inputReader().readLine())
                            .sorted() // two threads say them
                            .toList();
            assertThat(said.getFirst()).isEqualTo("asked Who?");
            assertThat(said.getLast()).startsWith("task ");
            first.destroyForcibly().waitFor();

            Process second = client(serving, said.getLast().substring("task ".length()));
            assertThat(second.inputReader().readLine())
                    .as("from its own store: it is not connected yet")
                    .isEqualTo("asked Who?");
            second.outputWriter().append("go\n").close();
            assertThat(second.inputReader().lines().toList()).last().isEqualTo("result for Ada");
            assertThat(second.waitFor()).isZero();
        }
    }
}
