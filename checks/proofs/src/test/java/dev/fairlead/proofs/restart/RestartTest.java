package dev.fairlead.proofs.restart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.support.ChildJvm;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A client whose server is killed as by {@code kill -9} and started again: it keeps its session.
 */
@Tag("proof")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RestartTest {
    @TempDir Path folder;

    private final BlockingQueue<String> updates = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> logged = new LinkedBlockingQueue<>();
    private int port; // any for the first process
    private Process process;

    private void launch(String database) throws IOException {
        List<String> command = ChildJvm.command(RestartServer.class);
        command.addAll(List.of(database, String.valueOf(port)));
        process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String line = process.inputReader().readLine();
        assertThat(line).startsWith(RestartServer.SERVING);
        port = URI.create(line.substring(RestartServer.SERVING.length())).getPort();
    }

    private void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    private McpClient connect() throws InterruptedException {
        return McpClient.named("restarting", "1") // of sessions
                .revisions(Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE)
                .onLog(entry -> logged.add(entry.data().toString()))
                .onElicitForm(form -> Answer.accept(new RestartServer.Name("Ada")))
                .failOnExpiredSession()
                .connect(
                        Http.to(URI.create("http://127.0.0.1:" + port + "/mcp"))
                                .reconnect(1_000, Duration.ofMillis(100), Duration.ofMillis(500)));
    }

    private static String next(BlockingQueue<String> queue) throws InterruptedException {
        return queue.poll(60, TimeUnit.SECONDS);
    }

    @Test
    @Requirement({"SSE-007", "SSE-012", "SSE-017"})
    void aKilledServerRestoresItsSessionsAndReportsLostCalls() throws Exception {
        proveOn("file:" + folder.resolve("all.db"));
    }

    @Test
    @Requirement({"SSE-007", "SSE-012", "SSE-017"})
    void soDoesOneWithPostgres() throws Exception {
        try (EmbeddedPostgres postgres =
                EmbeddedPostgres.builder().setPGStartupWait(Duration.ofMinutes(1)).start()) {
            proveOn(postgres.getJdbcUrl("postgres", "postgres"));
        }
    }

    private void proveOn(String database) throws Exception {
        launch(database);
        try (McpClient client = connect()) {
            client.setLoggingLevel(LoggingLevel.WARNING);
            client.watch(RestartServer.WATCHED, updates::add);
            assertIsNotified(client); // so it is known that the client is ready
            CountDownLatch hanging = new CountDownLatch(1);
            FutureTask<CallException> hang = new FutureTask<>(() -> hang(client, hanging));
            Thread.ofVirtual().start(hang);
            assertThat(hanging.await(60, TimeUnit.SECONDS)).isTrue();
            TaskHandle<String> asking =
                    client.tool("ask", NoInput.class, String.class).start(new NoInput());
            kill();
            launch(database);

            assertThat(hang.get(60, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            JsonRpcException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL_ERROR));
            assertIsNotified(client);
            assertThat(asking.await(Duration.ofMinutes(1))).isEqualTo("Ada");
        } finally {
            kill();
        }
    }

    private void assertIsNotified(McpClient client) throws InterruptedException {
        assertThat(client.callTool("touch", JsonObject.EMPTY).isError()).isFalse();
        assertThat(next(updates)).isEqualTo(RestartServer.WATCHED);
        assertThat(next(logged)).contains("wanted").doesNotContain("not wanted");
    }

    private static CallException hang(McpClient client, CountDownLatch hanging)
            throws InterruptedException {
        try {
            client.withProgress(progress -> hanging.countDown()).callTool("hang", JsonObject.EMPTY);
            throw new AssertionError("it has an answer");
        } catch (CallException e) {
            return e;
        }
    }
}
