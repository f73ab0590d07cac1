package dev.fairlead.proofs;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.McpRequests;
import dev.fairlead.gateway.Gateway;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.Threads;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.BufferedReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A gateway in front of three servers, each a process of its own. */
@Tag("proof")
@Timeout(900)
final class GatewayTest {
    private static final int CALLS = 1_000;
    private static final List<String> SERVERS = List.of("a", "b", "c");
    private static final Duration SLOW = Duration.ofSeconds(25); // less than the limit of a request

    /** How long a thousand calls may take. */
    private static final Duration LONG = Duration.ofMinutes(5);

    private static final Duration AGAIN = Duration.ofSeconds(10);

    private final Map<String, AtomicInteger> answered = new ConcurrentHashMap<>();
    private final Map<String, List<JsonRpcException>> failed = new ConcurrentHashMap<>();
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong slowest = new AtomicLong();
    private final AtomicBoolean enough = new AtomicBoolean();

    private static Gateway gateway() {
        Gateway.Builder gateway = Gateway.named("gateway", "1").connectWait(Duration.ofSeconds(60));
        for (String name : SERVERS) {
            gateway.server(
                    name,
                    Stdio.command(ChildJvm.command(NamedServer.class).toArray(String[]::new)));
        }
        return gateway.build();
    }

    private static long pid(McpClient client, String server) throws InterruptedException {
        return Long.parseLong(client.callTool(server + "_pid", JsonObject.EMPTY).text());
    }

    @Test
    void aServerThatIsKilledDuringAThousandCallsFailsOnlyItsOwnCallsAndServesAgain()
            throws Exception {
        Map<String, Integer> threads = Threads.count();
        long before;
        try (Gateway gateway = gateway();
                HttpServing serving = gateway.serve(Http.port(0));
                McpClient client = McpClient.connect(Http.to(serving.uri()))) {
            assertThat(client.tools())
                    .extracting(Tool::name)
                    .containsExactly("a_pid", "a_echo", "b_pid", "b_echo", "c_pid", "c_echo");
            before = pid(client, "b");
            callWhileOneIsKilled(client, before);

            assertThat(calls.get()).isGreaterThanOrEqualTo(CALLS);
            assertThat(failed.keySet()).as("servers whose calls failed").containsExactly("b");
            assertThat(failed.get("b"))
                    .allSatisfy(
                            e -> {
                                assertThat(e.code()).isEqualTo(-32603);
                                assertThat(e).hasMessage("The server b is not available");
                            });
            assertThat(Duration.ofNanos(slowest.get()))
                    .as("the slowest call of the others")
                    .isLessThan(SLOW);
            assertThat(pid(client, "b")).isNotEqualTo(before);
        }
        Threads.awaitNoMoreThan(threads);
        await("servers are left")
                .until(
                        () ->
                                ProcessHandle.current()
                                        .descendants()
                                        .noneMatch(
                                                child ->
                                                        child.info()
                                                                .commandLine()
                                                                .orElse("")
                                                                .contains(
                                                                        NamedServer.class
                                                                                .getName())));
    }

    /** Goes on until the thousand are full and the server is back. */
    private void callWhileOneIsKilled(McpClient client, long pid) throws Exception {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> callers = new ArrayList<>();
            for (String server : SERVERS) {
                callers.add(executor.submit(() -> callAgainAndAgain(client, server)));
            }
            try {
                awaitBack(client, pid, callers);
            } finally {
                enough.set(true); // else the executor would wait for its callers
            }
            for (Future<?> caller : callers) {
                caller.get();
            }
        }
    }

    private void awaitBack(McpClient client, long pid, List<Future<?>> callers) throws Exception {
        await("the calls do not begin").atMost(LONG).until(() -> calls.get() >= CALLS / 10);
        killUntilACallFails(client, pid);
        int then = answered.get("b").get();
        await("b is not back")
                .atMost(LONG)
                .until(() -> areRunning(callers) && answered.get("b").get() > then + 10);
        await("too few calls").atMost(LONG).until(() -> calls.get() >= CALLS);
    }

    /** Fails with the failure of a caller, if one has ended. */
    private static boolean areRunning(List<Future<?>> callers) throws Exception {
        for (Future<?> caller : callers) {
            if (caller.isDone()) {
                caller.get();
            }
        }
        return true;
    }

    /** A caller that does not run while the server is down notices nothing. */
    private void killUntilACallFails(McpClient client, long pid) throws Exception {
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        AtomicLong killed = new AtomicLong(System.nanoTime());
        await("no call fails")
                .atMost(LONG)
                .until(
                        () -> {
                            if (!failed.containsKey("b")
                                    && System.nanoTime() - killed.get() > AGAIN.toNanos()) {
                                killed.set(System.nanoTime());
                                kill(client, "b");
                            }
                            return failed.containsKey("b");
                        });
    }

    private void kill(McpClient client, String server) {
        try {
            ProcessHandle.of(pid(client, server)).ifPresent(ProcessHandle::destroyForcibly);
        } catch (JsonRpcException e) {
            assertThat(e).hasMessage("The server " + server + " is not available");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Void callAgainAndAgain(McpClient client, String server) throws InterruptedException {
        AtomicInteger good = answered.computeIfAbsent(server, name -> new AtomicInteger());
        while (!enough.get()) {
            int number = calls.incrementAndGet();
            long start = System.nanoTime();
            try {
                assertThat(
                                client.callTool(server + "_echo", JsonObject.of("number", number))
                                        .text())
                        .contains(String.valueOf(number));
                good.incrementAndGet();
            } catch (JsonRpcException e) {
                failed.computeIfAbsent(server, name -> new ArrayList<>()).add(e);
                LockSupport.parkNanos(1_000_000); // else the failing calls are most of them
            }
            if (!server.equals("b")) {
                slowest.accumulateAndGet(System.nanoTime() - start, Math::max);
            }
        }
        return null;
    }

    /** Two calls: in the era without sessions one of them has a connection of its own. */
    @ParameterizedTest
    @EnumSource(names = {"V2025_11_25", "V2026_07_28"})
    void aServerOverHttpThatIsKilledWhileItAnswersIsNoticedSoon(Revision revision)
            throws Exception {
        Process hanging = new ProcessBuilder(ChildJvm.command(HangingServer.class)).start();
        try (BufferedReader out = hanging.inputReader();
                Gateway gateway =
                        Gateway.named("gateway", "1")
                                .server("hanging", Http.to(out.readLine()))
                                .build();
                McpClient client =
                        McpClient.named("desk", "1")
                                .revisions(revision, revision)
                                .onElicitForm(form -> Answer.cancel())
                                .connect(gateway.inProcess());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CountDownLatch begun = new CountDownLatch(2);
            McpRequests patient =
                    client.withTimeout(Duration.ofHours(1))
                            .withProgress(progress -> begun.countDown());
            List<Future<?>> calls = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                calls.add(threads.submit(() -> patient.callTool("hang", JsonObject.EMPTY)));
            }
            begun.await();

            hanging.destroyForcibly().waitFor();

            for (Future<?> call : calls) {
                assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS))
                        .hasCauseInstanceOf(JsonRpcException.class)
                        .hasMessageContaining("The server hanging is not available");
            }
        } finally {
            hanging.destroyForcibly();
        }
    }
}
