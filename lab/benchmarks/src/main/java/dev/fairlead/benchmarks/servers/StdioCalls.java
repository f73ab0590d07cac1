package dev.fairlead.benchmarks.servers;

import dev.fairlead.benchmarks.Report;
import dev.fairlead.benchmarks.Table;
import dev.fairlead.benchmarks.Target;
import dev.fairlead.benchmarks.servers.Contender.Kind;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/** Measures the cost of calls over standard input and output, all servers taking turns. */
final class StdioCalls {
    /** No server gets longer than that to warm up, or for an answer. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A call of revision 2026-07-28, to one in a session. */
    private static final Target ERAS = Target.atMost(1.05);

    /** A call, to one of an earlier version. */
    static final Target BEFORE = Target.atMost(1.03);

    private final ServerOptions options;
    private final Report report;
    private final String question;
    private final int window;
    private final Samples samples = new Samples();
    private final Map<Contender, StdioProcess> servers = new LinkedHashMap<>();
    private final Map<Contender, Integer> lost = new LinkedHashMap<>();

    private StdioCalls(ServerOptions options, Report report, String question, int window) {
        this.options = options;
        this.report = report;
        this.question = question;
        this.window = window;
    }

    static void measure(ServerOptions options, Report report) throws Exception {
        if (options.asks("sequential")) {
            new StdioCalls(options, report, "sequential", 1).measure();
        }
        if (options.asks("pipelined")) {
            new StdioCalls(options, report, "pipelined", 64).measure();
        }
    }

    /** Our server in both eras, or of two versions. */
    static void measureOurs(ServerOptions options, Report report) throws Exception {
        new StdioCalls(options, report, "sequential", 1).measure();
        new StdioCalls(options, report, "pipelined", 64).measure();
    }

    private void measure() throws Exception {
        try {
            for (Contender contender : options.contenders()) {
                lost.put(contender, 0);
                warmUp(contender);
            }
            for (int round = 0; round < options.either(3, 7); round++) {
                for (Contender contender : options.contenders()) {
                    int seconds = options.either(1, 5);
                    samples.add(contender, round(contender, Duration.ofSeconds(seconds)));
                }
            }
        } finally {
            for (StdioProcess server : servers.values()) {
                server.close();
            }
        }
        print();
        printRatios();
    }

    private void warmUp(Contender contender) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        double wanted = options.either(100_000, 300_000);
        for (double calls = 0; calls < wanted && System.nanoTime() < end; ) {
            Sample sample = round(contender, Duration.ofSeconds(1));
            if (!sample.counts()) {
                return; // it loses answers
            }
            calls += sample.perSecond();
        }
    }

    /** One round of one server; of one that did not answer every call, one that does not count. */
    private Sample round(Contender contender, Duration time) throws Exception {
        StdioProcess server = running(contender);
        StdioLoad load = new StdioLoad(server, window);
        Thread watch = Thread.ofVirtual().start(() -> killAfter(server, time.plus(PATIENCE)));
        try {
            return load.run(time);
        } catch (IOException e) { // it has ended, or was ended since it gave no answer
            lost.merge(contender, load.unanswered(), Integer::sum);
            servers.remove(contender);
            server.close();
            return Sample.NONE;
        } finally {
            watch.interrupt();
            watch.join();
        }
    }

    private static void killAfter(StdioProcess server, Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
            server.kill();
        } catch (InterruptedException e) {
            // the round is over
        }
    }

    private StdioProcess running(Contender contender) throws Exception {
        StdioProcess server = servers.get(contender);
        if (server == null) {
            server = StdioProcess.start(contender);
            servers.put(contender, server);
            server.agree();
        }
        return server;
    }

    private void print() {
        Table table =
                new Table(
                        "Calls of 120 bytes over stdio, " + question + ", medians",
                        "server",
                        "rounds",
                        "calls/s",
                        "CPU µs/call",
                        "KiB/call",
                        "p99 ms",
                        "caller's CPU",
                        "lost",
                        "");
        for (Contender contender : samples.contenders()) {
            int unanswered = lost.getOrDefault(contender, 0);
            String word =
                    contender.kind() == Kind.OURS
                            ? report.check(
                                    "answers lost, " + question + ",", unanswered, Target.atMost(0))
                            : "";
            table.row(
                    contender.name(),
                    Long.toString(samples.counted(contender)),
                    Calls.text(samples.median(contender, Sample::perSecond)),
                    Calls.text(samples.median(contender, Sample::cpuMicros)),
                    Calls.text(samples.median(contender, Sample::allocated)),
                    Calls.text(samples.median(contender, Sample::p99Millis)),
                    Calls.text(samples.median(contender, Sample::generator)),
                    Integer.toString(unanswered),
                    word);
        }
        report.print(table);
    }

    private void printRatios() {
        Table table =
                new Table(
                        "Ours/theirs over stdio, "
                                + question
                                + ", medians of the ratios of each round",
                        "ours/theirs",
                        "calls/s",
                        "",
                        "CPU/call",
                        "");
        boolean any = false;
        for (Contender ours : samples.contenders()) {
            for (Contender theirs : samples.contenders()) {
                if (ours.kind() == Kind.OURS
                        && (theirs.kind() != Kind.OURS || ownTarget(ours, theirs) != null)) {
                    row(table, ours, theirs);
                    any = true;
                }
            }
        }
        if (any) {
            report.print(table);
        }
    }

    /**
     * Returns the limit of one of our servers relative to another of our eras or versions; null if
     * they are not compared.
     */
    static @Nullable Target ownTarget(Contender ours, Contender other) {
        if (other.kind() != Kind.OURS || ours.isBefore() || ours == other) {
            return null;
        }
        if (other.isBefore()) {
            return ours.mode() == other.mode() ? BEFORE : null;
        }
        return ours.isPerRequest() && !other.isPerRequest() ? ERAS : null;
    }

    private void row(Table table, Contender ours, Contender theirs) {
        String pair = ours + "/" + theirs;
        OptionalDouble rate = samples.ratio(ours, theirs, Sample::perSecond);
        OptionalDouble cpu = samples.ratio(ours, theirs, Sample::cpuMicros);
        table.row(
                pair,
                Calls.text(rate),
                check(pair + " in calls/s, " + question + ",", rate, rateTarget(theirs)),
                Calls.text(cpu),
                check(pair + " in CPU per call, " + question + ",", cpu, cpuTarget(ours, theirs)));
    }

    private @Nullable Target rateTarget(Contender theirs) {
        return theirs.kind() == Kind.TYPESCRIPT ? Target.atLeast(isSequential() ? 1.2 : 3) : null;
    }

    private @Nullable Target cpuTarget(Contender ours, Contender theirs) {
        if (theirs.kind() == Kind.OURS) {
            return ownTarget(ours, theirs);
        }
        if (!isSequential()) {
            return null;
        }
        return Target.atMost(theirs.kind() == Kind.TYPESCRIPT ? 0.6 : 1);
    }

    private boolean isSequential() {
        return window == 1;
    }

    private String check(String what, OptionalDouble ratio, @Nullable Target target) {
        return Ratios.check(report, what, ratio, target);
    }
}
