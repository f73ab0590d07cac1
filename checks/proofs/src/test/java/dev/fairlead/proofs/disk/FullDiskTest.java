package dev.fairlead.proofs.disk;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.RemoteTool;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.proofs.disk.DiskServer.Number;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.HttpAnswer;
import dev.fairlead.test.support.RawSession;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A server whose disk fills and is freed again: it refuses clearly the requests that it cannot
 * store, keeps those that it has acknowledged, and continues without a restart. The disk is a file
 * system in memory that only the process of the server sees; where none may be mounted the proof is
 * left out.
 */
@Tag("proof")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class FullDiskTest {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final String MOUNTED = "mount -t tmpfs -o size=8m tmpfs \"$0\" && exec \"$@\"";

    @TempDir Path disk;

    private Process process;
    private McpClient client;
    private int port;

    @BeforeEach
    void launch() throws Exception {
        assumeThat(mayMount()).as("a disk of its own can be mounted").isTrue();
        List<String> command = inOwnMounts();
        command.addAll(ChildJvm.command(DiskServer.class));
        command.add(disk.toString());
        process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        var out = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8);
        URI uri = URI.create(new BufferedReader(out).readLine());
        port = uri.getPort();
        client =
                McpClient.named("disk", "1")
                        .connect(
                                Http.to(uri)
                                        .reconnect(
                                                5, Duration.ofMillis(10), Duration.ofSeconds(1)));
    }

    private List<String> inOwnMounts() {
        return new ArrayList<>(List.of("unshare", "-m", "sh", "-c", MOUNTED, disk.toString()));
    }

    private boolean mayMount() throws InterruptedException {
        try {
            List<String> command = inOwnMounts();
            command.add("true");
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (java.io.IOException e) { // there is no such program
            return false;
        }
    }

    @AfterEach
    void close() throws Exception {
        if (client != null) {
            client.close();
        }
        if (process != null) {
            process.destroyForcibly().waitFor();
        }
    }

    private String call(String tool) throws InterruptedException {
        return client.callTool(tool, JsonObject.EMPTY).text();
    }

    private RemoteTool<Number, String> tool(String name) {
        return client.tool(name, Number.class, String.class);
    }

    @Test
    void whatWasAcknowledgedIsKeptAndTheRestRefusedUntilThereIsSpaceAgain() throws Exception {
        Map<Integer, TaskHandle<String>> acknowledged = new TreeMap<>();
        for (int i = 0; i < 20; i++) {
            acknowledged.put(i, tool("remember").start(new Number(i)));
        }
        call("hold");
        for (int i = 20; i < 30; i++) {
            acknowledged.put(i, tool("outlast").start(new Number(i)));
        }
        assertThat(call("fill")).contains("space");

        int refused = 0;
        for (int i = 30; refused < 10 && i < 1_000; i++) {
            try {
                acknowledged.put(i, tool("remember").start(new Number(i)));
            } catch (JsonRpcException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL_ERROR);
                refused++;
            }
        }
        assertThat(refused).isEqualTo(10);
        client.ping();
        call("free");

        TaskHandle<String> after = startOnceThereIsSpace();
        assertThat(after.await(PATIENCE)).isEqualTo(DiskServer.remembered(4711));
        for (var each : acknowledged.entrySet()) {
            assertThat(each.getValue().await(PATIENCE))
                    .isEqualTo(DiskServer.remembered(each.getKey()));
        }
        List<Double> progress = new ArrayList<>();
        assertThat(
                        client.withProgress(report -> progress.add(report.progress()))
                                .callTool("tell", JsonObject.EMPTY)
                                .text())
                .isEqualTo("told");
        assertThat(progress).hasSize(20);
        System.out.println("full disk: " + acknowledged.size() + " acknowledged, all kept");
    }

    @Test
    void aSessionThatCannotBeKeptIsRefusedForNow() throws Exception {
        call("fill");
        HttpAnswer refused = null;
        for (int i = 0; refused == null && i < 1_000; i++) { // fills the free space within the file
            HttpAnswer answer = RawSession.initialize(port, InetAddress.getByName("127.0.0.1"));
            refused = answer.status() == 200 ? null : answer;
        }

        assertThat(refused).isNotNull();
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.head()).containsIgnoringCase("\r\nRetry-After: 1\r\n");
        assertThat(refused.body()).contains("cannot store sessions").doesNotContain("reference");
        call("free");
        await("sessions are served again")
                .until(
                        () -> {
                            try {
                                return RawSession.initialize(
                                                        port, InetAddress.getByName("127.0.0.1"))
                                                .status()
                                        == 200;
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
    }

    private TaskHandle<String> startOnceThereIsSpace() throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return tool("remember").start(new Number(4711));
            } catch (JsonRpcException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(20); // between two attempts
            }
        }
    }

    @Test
    void aCallWhoseEventsCannotBeKeptReachesItsOpenConnection() throws Exception {
        assertAnsweredWithProgress();
        call("fill");
        for (int i = 0; i < 200; i++) {
            assertAnsweredWithProgress();
        }
        client.ping();
        call("free");
        assertAnsweredWithProgress();
    }

    private void assertAnsweredWithProgress() throws InterruptedException {
        List<Double> progress = new ArrayList<>();
        assertThat(
                        client.withProgress(report -> progress.add(report.progress()))
                                .callTool("tell", JsonObject.EMPTY)
                                .text())
                .isEqualTo("told");
        assertThat(progress).hasSize(20);
    }
}
