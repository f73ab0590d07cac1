package dev.fairlead.proofs.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.test.support.ClosingTest;
import dev.fairlead.test.support.Scale;
import dev.fairlead.testing.RoundRobin;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Faults of nodes while fifteen clients in sessions call them by rotation: plain calls, calls that
 * ask, and tasks. No session and no task is lost, and no answer is another's. The clients call for
 * {@code -Dfairlead.faults.seconds} around each fault; from 40 on, outages of the database take 45
 * s.
 */
@Tag("proof")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class NodeFaultsTest extends ClosingTest {
    private static final int CALLERS = 15;
    private static final int LONG = 40;
    private static final int SECONDS =
            Integer.getInteger("fairlead.faults.seconds", Scale.of(6, LONG));
    private static final Duration BEFORE = Duration.ofSeconds(SECONDS / 4);
    private static final Duration AFTER = Duration.ofSeconds(SECONDS).minus(BEFORE);

    /** Longer than the lease of 4 s. */
    private static final Duration FROZEN = Duration.ofSeconds(8);

    private static final Duration AWAY = Duration.ofSeconds(SECONDS < LONG ? 3 : 45);

    private static Nodes nodes;

    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicLong longest = new AtomicLong();
    private final Map<String, AtomicInteger> failures = new ConcurrentHashMap<>();
    private final Queue<String> renewed = new ConcurrentLinkedQueue<>();
    private RoundRobin balancer;
    private volatile boolean over;

    /** A fault that happens while the clients call. */
    private enum Fault {
        NONE(0) {
            @Override
            void happen(NodeFaultsTest test) {}
        },
        KILLED(2 * CALLERS) {
            @Override
            void happen(NodeFaultsTest test) throws Exception {
                nodes.get(0).kill();
            }
        },
        FROZEN_LONGER_THAN_ITS_LEASE(3 * CALLERS) {
            @Override
            void happen(NodeFaultsTest test) throws Exception {
                nodes.get(0).signal("STOP");
                Thread.sleep(FROZEN);
                nodes.get(0).signal("CONT");
            }
        },
        CUT_OFF_FROM_THE_DATABASE(3 * CALLERS) {
            @Override
            void happen(NodeFaultsTest test) throws Exception {
                nodes.database(0).refuse();
                Thread.sleep(FROZEN);
                nodes.database(0).resume();
            }
        },
        CUT_OFF_FROM_THE_BALANCER(0) {
            @Override
            void happen(NodeFaultsTest test) {
                int[] all = nodes.ports();
                test.balancer.targets(Arrays.copyOfRange(all, 1, all.length));
            }
        },
        WITHOUT_THE_DATABASE(3 * CALLERS) {
            @Override
            void happen(NodeFaultsTest test) throws Exception {
                each(node -> nodes.database(node).refuse());
                Thread.sleep(AWAY);
                each(node -> nodes.database(node).resume());
            }
        },
        WITH_A_SILENT_DATABASE(3 * CALLERS) {
            @Override
            void happen(NodeFaultsTest test) throws Exception {
                each(node -> nodes.database(node).silence());
                Thread.sleep(AWAY);
                each(node -> nodes.database(node).resume());
            }
        },
        RESTARTED_ONE_AFTER_ANOTHER(3) { // a connection that comes while a port closes
            @Override
            void happen(NodeFaultsTest test) throws Exception {
                for (int i = 0; i < nodes.size(); i++) {
                    nodes.get(i).terminate();
                    nodes.get(i).exitStatus();
                    nodes.restart(i);
                }
            }
        },
        JOINED_BY_ANOTHER(0) {
            @Override
            void happen(NodeFaultsTest test) throws Exception {
                nodes.add();
                test.balancer.targets(nodes.ports());
            }
        };

        /** The most calls that may fail for their callers. */
        final int most;

        Fault(int most) {
            this.most = most;
        }

        abstract void happen(NodeFaultsTest test) throws Exception;
    }

    /** A part of a fault at one node. */
    private interface AtNode {
        void happen(int node) throws Exception;
    }

    private static void each(AtNode fault) throws Exception {
        for (int i = 0; i < nodes.size(); i++) {
            fault.happen(i);
        }
    }

    @BeforeAll
    static void start() throws Exception {
        nodes = Nodes.start(3);
    }

    @AfterAll
    static void stop() throws Exception {
        nodes.close();
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void sessionsAndTasksOutlive(Fault fault) throws Exception {
        nodes.restartEnded();
        balancer = closedLater(new RoundRobin(nodes.ports()));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var callers =
                    IntStream.range(0, CALLERS)
                            .<Future<?>>mapToObj(i -> threads.submit(() -> call(i)))
                            .toList();
            Thread.sleep(BEFORE);
            fault.happen(this);
            Thread.sleep(AFTER);
            over = true;
            for (Future<?> caller : callers) {
                caller.get(); // fails with the first wrong answer
            }
        }

        System.out.printf(
                Locale.ROOT,
                "%s: %d answered, failed %s, longest %d ms%n",
                fault,
                answered.get(),
                failures,
                longest.get());
        assertThat(renewed).as("sessions that were lost").isEmpty();
        assertThat(failures.values().stream().mapToInt(AtomicInteger::get).sum())
                .as("failed: %s", failures)
                .isLessThanOrEqualTo(fault.most);
    }

    private McpClient connect() throws InterruptedException {
        return closedLater(
                Callers.of(Revision.V2025_11_25)
                        .requestTimeout(Duration.ofMinutes(2))
                        .onNewSession(why -> renewed.add(String.valueOf(why.getMessage())))
                        .connect(Http.to(balancer.uri())));
    }

    /** One caller: calls until the test is over, and once more in the same session. */
    private Void call(int caller) throws Exception {
        McpClient client = connect();
        for (int i = 0; !over; i++) {
            long started = System.nanoTime();
            try {
                call(client, caller + i, caller + "-" + i);
                answered.incrementAndGet();
            } catch (CallException e) {
                failures.computeIfAbsent(
                                e.getClass().getSimpleName() + ": " + e.getMessage(),
                                why -> new AtomicInteger())
                        .incrementAndGet();
            }
            long ms = Duration.ofNanos(System.nanoTime() - started).toMillis();
            longest.accumulateAndGet(ms, Math::max);
        }
        call(client, 0, "last");
        return null;
    }

    private static void call(McpClient client, int kind, String text) throws Exception {
        switch (kind % 4) {
            case 0 ->
                    assertThat(client.callTool("interop_echo", JsonObject.of("text", text)).text())
                            .isEqualTo(text);
            case 1 -> Callers.callAndAnswer(client);
            case 2 -> {
                JsonObject arguments = JsonObject.of("text", text, "delayMs", 50);
                var task = client.startTool(new CallToolRequest("task_echo", arguments));
                assertThat(task.await().text()).isEqualTo(text);
            }
            default -> Callers.callInSteps(client, 40);
        }
    }
}
