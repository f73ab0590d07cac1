package dev.fairlead.proofs.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.ClientRequests;
import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.server.McpServer;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;
import dev.fairlead.test.support.Scale;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A server on stdio and a client that have no memory for a moment, again and again. */
@Tag("proof")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class ProgramSurvivalAttackTest {
    private static final int ROUNDS = Scale.of(5, 20);
    private static final Duration ROUND = Duration.ofMinutes(3);

    private static List<String> command(Class<?> main, String... arguments) {
        return ChildJvm.command(
                List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx96m"), main, arguments);
    }

    @Test
    void aServerOnStdioAnswersAgain() throws Exception {
        String[] command = command(GreedyProgram.OnStdio.class).toArray(String[]::new);
        List<String> log = new ArrayList<>();
        try (McpClient connected =
                McpClient.named("caller", "1")
                        .probeTimeout(Duration.ofMinutes(1))
                        .connect(Stdio.command(command).onStderr(log::add))) {
            ClientRequests client = connected.withTimeout(GreedyProgram.LOST);
            callAgain(client); // Java can never use a class that is first used without memory
            for (int round = 0; round < ROUNDS; round++) {
                List<Thread> callers = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    String tool = i < 10 ? "exhaust" : "small";
                    callers.add(Thread.ofVirtual().start(() -> callOnce(client, tool)));
                }
                for (Thread caller : callers) {
                    caller.join();
                }
                assertThat(callAgain(client)).as("%s", log).isEqualTo("small");
            }
        }
    }

    /** Without memory a call may fail in any way. */
    private static void callOnce(ClientRequests client, String tool) {
        try {
            client.callTool(tool, JsonObject.EMPTY);
        } catch (RuntimeException | InterruptedException e) {
            // the next call shows whether the server lives
        }
    }

    private static String callAgain(ClientRequests client) throws InterruptedException {
        for (int attempt = 0; attempt < 30; attempt++) {
            try {
                return client.callTool("small", JsonObject.EMPTY).text();
            } catch (RuntimeException e) {
                Thread.sleep(1_000);
            }
        }
        return "no answer for 30 s";
    }

    @Test
    void aClientCallsAgain() throws Exception {
        try (McpServer server = GreedyServer.create();
                HttpServing serving = server.serve(Http.port(0));
                ChildProcess client =
                        ChildProcess.start(
                                command(GreedyProgram.OfClient.class, serving.uri().toString()))) {
            List<String> lines = new ArrayList<>();
            for (Optional<String> line = client.line(ROUND); line.isPresent(); ) {
                lines.add(line.get());
                System.out.println(line.get()); // in the report, also where no end comes
                line = client.line(ROUND);
            }
            assertThat(lines)
                    .filteredOn("small"::equals)
                    .as("%s %s", lines, client.errors())
                    .hasSize(5);
        }
    }
}
