package dev.fairlead.benchmarks.nodes;

import dev.fairlead.benchmarks.Report;
import dev.fairlead.benchmarks.Table;
import dev.fairlead.benchmarks.Target;
import dev.fairlead.client.ElicitForm;
import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.tools.CallToolRequest;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Has clients of both kinds of revisions call nodes by rotation while these are killed, frozen, cut
 * off and restarted. A session or a task that is lost, an answer of another call, and a call that
 * ran twice or was answered without having run are failures; a call that fails since its node died
 * is not.
 */
public final class NodesSoak {
    private static final Target NONE = Target.atMost(0);

    /** Longer than the lease of a node. */
    private static final Duration FROZEN = Duration.ofSeconds(6);

    private static final List<String> TOOLS = List.of("run", "ask", "hold", "work");

    /** The faults, each of which is over when its method returns. */
    private enum Fault {
        KILL {
            @Override
            void happen(Cluster cluster, int node) throws Exception {
                cluster.signal(node, "KILL");
                cluster.restart(node);
            }
        },
        FREEZE {
            @Override
            void happen(Cluster cluster, int node) throws Exception {
                cluster.signal(node, "STOP");
                Thread.sleep(FROZEN);
                cluster.signal(node, "CONT");
            }
        },
        RESTART {
            @Override
            void happen(Cluster cluster, int node) throws Exception {
                for (int i = 0; i < cluster.size(); i++) {
                    cluster.signal(i, "TERM");
                    cluster.restart(i);
                }
            }
        },
        CUT_DATABASE {
            @Override
            void happen(Cluster cluster, int node) throws Exception {
                cluster.cutDatabase();
            }
        },
        CUT_BALANCER {
            @Override
            void happen(Cluster cluster, int node) throws Exception {
                int out = cluster.port(node);
                cluster.balancer()
                        .targets(
                                Arrays.stream(cluster.ports())
                                        .filter(port -> port != out)
                                        .toArray());
                Thread.sleep(Duration.ofSeconds(2));
                cluster.balancer().targets(cluster.ports());
            }
        };

        abstract void happen(Cluster cluster, int node) throws Exception;
    }

    private final Duration time;
    private final Random random;
    private final int callers;
    private final Report report;
    private final Cluster cluster;
    private final AtomicLong numbers = new AtomicLong();
    private final Map<Long, AtomicInteger> runs = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> answered = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> failed = new ConcurrentHashMap<>();
    private final Queue<Long> unrun = new ConcurrentLinkedQueue<>();
    private final AtomicInteger wrong = new AtomicInteger();
    private final AtomicInteger lostSessions = new AtomicInteger();
    private final AtomicLong longest = new AtomicLong();
    private volatile boolean over;

    private NodesSoak(int nodes, Duration time, long seed, int callers, Report report)
            throws IOException {
        this.time = time;
        this.random = new Random(seed);
        this.callers = callers;
        this.report = report;
        this.cluster = new Cluster(nodes, true, this::ran);
    }

    /** Soaks, and reports. */
    public static void run(int nodes, Duration time, long seed, int callers, Report report)
            throws Exception {
        NodesSoak soak = new NodesSoak(nodes, time, seed, callers, report);
        try (Cluster cluster = soak.cluster) {
            soak.run();
        }
    }

    private void ran(long number) {
        runs.computeIfAbsent(number, first -> new AtomicInteger()).incrementAndGet();
    }

    private void run() throws Exception {
        Map<Fault, Integer> faults = new TreeMap<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Void>> working =
                    IntStream.range(0, callers)
                            .mapToObj(i -> threads.submit(() -> work(i % 2 == 0)))
                            .toList();
            long end = System.nanoTime() + time.toNanos();
            while (System.nanoTime() < end) {
                Thread.sleep(Duration.ofMillis(1_000 + random.nextInt(3_000)));
                Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
                fault.happen(cluster, random.nextInt(cluster.size()));
                faults.merge(fault, 1, Integer::sum);
            }
            over = true;
            for (Future<Void> caller : working) {
                caller.get();
            }
        }
        Thread.sleep(Duration.ofSeconds(1)); // the lines of handlers that have run
        judge(faults);
    }

    private void judge(Map<Fault, Integer> faults) {
        long doubled = runs.values().stream().filter(count -> count.get() > 1).count();
        long missing = unrun.stream().filter(number -> !runs.containsKey(number)).count();
        Table table = new Table("Calls by rotation", "", "answered", "failed");
        for (String tool : TOOLS) {
            table.row(tool, count(answered, tool), count(failed, tool));
        }
        report.print(table);
        report.line("faults: " + faults + "; longest call " + longest.get() + " ms");
        judged("sessions that were lost", lostSessions.get());
        judged("answers that were another call's", wrong.get());
        judged("calls that ran twice", doubled);
        judged("calls that were answered but did not run", missing);
    }

    private static String count(Map<String, AtomicInteger> counts, String tool) {
        return Integer.toString(counts.getOrDefault(tool, new AtomicInteger()).get());
    }

    private void judged(String what, long figure) {
        report.line(what + ": " + figure + " " + report.check(what, figure, NONE));
    }

    private Void work(boolean inSession) throws Exception {
        Revision revision = inSession ? Revision.V2025_11_25 : Revision.V2026_07_28;
        try (McpClient client = connect(revision)) {
            for (int i = 0; !over; i++) {
                call(client, TOOLS.get(i % TOOLS.size()));
            }
            if (!client.callTool("echo", JsonObject.of("number", 0)).text().equals("done 0")) {
                wrong.incrementAndGet();
            }
        }
        return null;
    }

    private McpClient connect(Revision revision) throws InterruptedException {
        while (true) {
            try {
                return McpClient.named("caller", "1")
                        .revisions(revision, revision)
                        .requestTimeout(Duration.ofMinutes(1))
                        .onElicitForm(NodesSoak::answer)
                        .onNewSession(why -> lostSessions.incrementAndGet())
                        .connect(Http.to(cluster.balancer().uri()));
            } catch (CallException e) { // its first node died meanwhile
                Thread.sleep(Duration.ofMillis(100));
            }
        }
    }

    private static Answer<?> answer(ElicitForm form) {
        return Answer.accept(JsonObject.of("text", form.message()));
    }

    private void call(McpClient client, String tool) throws InterruptedException {
        long number = numbers.incrementAndGet();
        long started = System.nanoTime();
        try {
            JsonObject arguments = JsonObject.of("number", number);
            boolean isTask = tool.equals("work");
            String text =
                    isTask
                            ? client.startTool(new CallToolRequest(tool, arguments)).await().text()
                            : client.callTool(tool, arguments).text();
            if (!text.equals("done " + number)) {
                wrong.incrementAndGet();
            } else if (!isTask) {
                unrun.add(number);
            }
            answered.computeIfAbsent(tool, name -> new AtomicInteger()).incrementAndGet();
        } catch (CallException e) {
            failed.computeIfAbsent(tool, name -> new AtomicInteger()).incrementAndGet();
        }
        long ms = Duration.ofNanos(System.nanoTime() - started).toMillis();
        longest.accumulateAndGet(ms, Math::max);
    }
}
