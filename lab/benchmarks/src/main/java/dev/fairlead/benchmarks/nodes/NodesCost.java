package dev.fairlead.benchmarks.nodes;

import dev.fairlead.benchmarks.Report;
import dev.fairlead.benchmarks.Table;
import dev.fairlead.benchmarks.Target;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * The cost of calls in a session at its owner and through other nodes beside that of a server
 * without others, and the statements of nodes that have nothing to do.
 */
public final class NodesCost {
    private static final String TRANSACTIONS =
            "select sum(xact_commit + xact_rollback) from pg_stat_database";
    private static final int CONNECTIONS = 16;

    /** The time after which a task that waits for an answer is rarely looked at. */
    private static final Duration SETTLED = Duration.ofSeconds(70);

    /** The calls of some connections; CPU and time in microseconds. */
    private record Calls(long count, double cpu, double median, double transactions) {}

    private final Report report;
    private final Duration time;
    private final int sessions;

    private NodesCost(Report report, boolean quick) {
        this.report = report;
        this.time = Duration.ofSeconds(quick ? 5 : 20);
        this.sessions = quick ? 1_000 : 10_000;
    }

    /** Measures, and reports. */
    public static void measure(Report report, boolean quick) throws Exception {
        new NodesCost(report, quick).measure();
    }

    private void measure() throws Exception {
        Table table =
                new Table(
                        "Calls in a session",
                        "",
                        "connections",
                        "calls/s",
                        "CPU of all nodes, µs",
                        "median, µs",
                        "transactions/s");
        List<Calls> alone;
        List<Calls> own;
        List<Calls> forwarded;
        try (Cluster one = new Cluster(1, false, number -> {})) {
            alone = calls(one, List.of(0));
        }
        try (Cluster three = new Cluster(3, true, number -> {})) {
            own = calls(three, List.of(0));
            forwarded = calls(three, List.of(1, 2));
            rows(table, "one node", alone);
            rows(table, "at its owner", own);
            rows(table, "forwarded", forwarded);
            report.print(table);
            judged("CPU of a call at its owner / one node", own, alone);
            double more = forwarded.get(1).cpu() - own.get(1).cpu();
            checked("CPU that forwarding adds, µs", more, Target.atMost(60));
            double later = forwarded.get(0).median() - own.get(0).median();
            checked("time that forwarding adds, µs", later, Target.atMost(200));
            idle(three);
        }
    }

    private void judged(String what, List<Calls> calls, List<Calls> beside) {
        checked(what, calls.get(1).cpu() / beside.get(1).cpu(), Target.atMost(1.01));
    }

    private void checked(String what, double figure, Target target) {
        report.line(what + ": " + Table.number(figure) + " " + report.check(what, figure, target));
    }

    private static void rows(Table table, String name, List<Calls> both) {
        for (int i = 0; i < both.size(); i++) {
            Calls calls = both.get(i);
            table.row(
                    name,
                    i == 0 ? "1" : "" + CONNECTIONS,
                    "%,d".formatted(calls.count()),
                    Table.number(calls.cpu()),
                    Table.number(calls.median()),
                    Table.number(calls.transactions()));
        }
    }

    /**
     * Calls in one session of the first node through others in turns, by one connection and more.
     */
    private List<Calls> calls(Cluster cluster, List<Integer> through) throws Exception {
        String session = Requests.open(cluster.port(0));
        run(cluster, session, through, CONNECTIONS); // warms up
        return List.of(
                run(cluster, session, through, 1), run(cluster, session, through, CONNECTIONS));
    }

    private Calls run(Cluster cluster, String session, List<Integer> through, int connections)
            throws Exception {
        long transactions = cluster.query(TRANSACTIONS);
        long cpu = cpu(cluster);
        long end = System.nanoTime() + time.toNanos();
        List<long[]> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(connections)) {
            List<Future<long[]>> running = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                int first = i;
                Callable<long[]> calling = () -> calling(cluster, session, through, first, end);
                running.add(threads.submit(calling));
            }
            for (Future<long[]> each : running) {
                all.add(each.get());
            }
        }
        long[] durations = all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        double used = (cpu(cluster) - cpu) / 1_000.0;
        double made = cluster.query(TRANSACTIONS) - transactions;
        return new Calls(
                durations.length / time.toSeconds(),
                used / durations.length,
                durations[durations.length / 2] / 1_000.0,
                made / time.toSeconds());
    }

    /** The durations of calls that go to the nodes in turns, so that none takes the session. */
    private static long[] calling(
            Cluster cluster, String session, List<Integer> through, int first, long end)
            throws IOException {
        List<Requests> lines = new ArrayList<>();
        for (int node : through) {
            lines.add(new Requests(cluster.port(node), session));
        }
        List<Long> durations = new ArrayList<>();
        for (int id = first * 10_000_000; System.nanoTime() < end; id++) {
            long started = System.nanoTime();
            lines.get(id % lines.size()).call(id);
            durations.add(System.nanoTime() - started);
        }
        for (Requests line : lines) {
            line.close();
        }
        return durations.stream().mapToLong(Long::longValue).toArray();
    }

    /** Returns the CPU time of all nodes in nanoseconds. */
    private static long cpu(Cluster cluster) {
        return IntStream.range(0, cluster.size())
                .mapToLong(
                        node ->
                                ProcessHandle.of(cluster.node(node).jvm().process())
                                        .flatMap(process -> process.info().totalCpuDuration())
                                        .orElse(Duration.ZERO)
                                        .toNanos())
                .sum();
    }

    private void idle(Cluster cluster) throws Exception {
        double few = transactions(cluster);
        for (int i = 0; i < sessions; i++) {
            Requests.open(cluster.port(i % cluster.size()));
        }
        double many = transactions(cluster);
        for (int i = 0; i < cluster.size(); i++) {
            try (Requests creating =
                    new Requests(cluster.port(i), Requests.open(cluster.port(i)))) {
                for (int task = i; task < sessions; task += cluster.size()) {
                    creating.createWaiting(task);
                }
            }
        }
        Thread.sleep(SETTLED);
        double waiting = transactions(cluster);
        int nodes = cluster.size();
        checked("transactions/s of an idle node", few / nodes, Target.atMost(13));
        checked(
                "transactions/s of an idle node, " + sessions + " sessions",
                many / nodes,
                Target.atMost(13));
        checked(
                "the same with as many tasks that wait for an answer",
                waiting / nodes,
                Target.atMost(13));
        double connections =
                cluster.query(
                        "select count(*) from pg_stat_activity where backend_type = 'client"
                                + " backend' and pid <> pg_backend_pid()");
        checked("connections of a node", connections / nodes, Target.atMost(12));
    }

    private double transactions(Cluster cluster) throws SQLException, InterruptedException {
        Thread.sleep(Duration.ofSeconds(2)); // writes that follow from the requests before
        long before = cluster.query(TRANSACTIONS);
        Thread.sleep(time);
        return (double) (cluster.query(TRANSACTIONS) - before) / time.toSeconds();
    }
}
