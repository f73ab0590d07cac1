package dev.fairlead.benchmarks.servers;

import dev.fairlead.benchmarks.Report;
import dev.fairlead.benchmarks.Table;
import dev.fairlead.benchmarks.Target;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Measures the cost and rate of calls, all servers taking turns. */
final class Calls {
    private static final int SMALL = 120;
    private static final int LARGE = 100 << 10;

    /** The limit of allocation per call in a JVM of ours. */
    private static final Target KIB = Target.atMost(6);

    /** No server gets longer than that to warm up. */
    private static final Duration WARM_UP = Duration.ofSeconds(30);

    private final ServerOptions options;
    private final Report report;
    private final List<Contender> contenders;
    private final int size;
    private final List<ServerProcess> servers = new ArrayList<>();

    private Calls(ServerOptions options, Report report, List<Contender> contenders, int size) {
        this.options = options;
        this.report = report;
        this.contenders = contenders;
        this.size = size;
    }

    /** Small texts, on one connection, on a few and on many. */
    static void measure(ServerOptions options, Report report) throws Exception {
        new Calls(options, report, options.contenders(), SMALL).measure(List.of(1, 16, 64));
    }

    /** Texts of 100 KiB. */
    static void measureLarge(ServerOptions options, Report report) throws Exception {
        new Calls(options, report, options.contenders(), LARGE).measure(List.of(16));
    }

    /** Tools that sleep or compute, on the thread that reads and on threads of their own. */
    static void measureSlow(ServerOptions options, Report report) throws Exception {
        new Calls(options, report, Contenders.slow(), SMALL).measure(List.of(16));
    }

    /** Small texts with a console at which no page watches, and without one. */
    static void measureWatched(ServerOptions options, Report report) throws Exception {
        new Calls(options, report, Contenders.watched(), SMALL).measure(List.of(16));
    }

    /**
     * Calls that are made as tasks, whose results are fetched: each is two requests. On many
     * connections, since the showcase allows each session 2,000 task operations a second.
     */
    static void measureTasks(ServerOptions options, Report report) throws Exception {
        new Calls(options, report, options.contenders(), SMALL).measure(List.of(64));
    }

    private void measure(List<Integer> loads) throws Exception {
        try {
            for (Contender contender : contenders) {
                ServerProcess server =
                        contender.isTask()
                                ? ServerProcess.startQuietly(contender)
                                : ServerProcess.start(contender);
                servers.add(server);
                warmUp(server, loads.getLast());
            }
            List<Samples> measured = loads.stream().map(load -> new Samples()).toList();
            for (int round = 0; round < options.either(3, 5); round++) {
                for (int i = 0; i < loads.size(); i++) {
                    for (ServerProcess server : servers) {
                        Sample sample = round(server, loads.get(i), options.either(2, 5));
                        measured.get(i).add(server.contender(), sample);
                    }
                }
            }
            for (int i = 0; i < loads.size(); i++) {
                print(loads.get(i), measured.get(i));
            }
            printResident();
        } finally {
            for (ServerProcess server : servers) {
                server.close();
            }
        }
    }

    /**
     * A number of calls, not a time: on a busy machine compilers get little of that. A call to a
     * JVM costs about the same from there on.
     */
    private void warmUp(ServerProcess server, int connections) throws IOException {
        int part = size == LARGE ? 20 : server.contender().isTask() ? 2 : 1;
        warmUp(server, connections, size, options.either(300_000, 600_000) / part);
    }

    static void warmUp(ServerProcess server, int connections, int size, int wanted)
            throws IOException {
        long end = System.nanoTime() + WARM_UP.toNanos();
        try (Load load = new Load(server, connections, size)) {
            for (double calls = 0; calls < wanted && System.nanoTime() < end; ) {
                calls += load.run(Duration.ofSeconds(1)).perSecond();
            }
        }
    }

    private Sample round(ServerProcess server, int connections, int seconds) throws IOException {
        try (Load load = new Load(server, connections, size)) {
            return load.run(Duration.ofSeconds(seconds));
        }
    }

    private void print(int connections, Samples samples) {
        String load = "%,d bytes on %d connections".formatted(size, connections);
        if (contenders.getFirst().isTask()) {
            load += ", as tasks";
        }
        Table table =
                new Table(
                        "Calls of " + load + ", medians",
                        "server",
                        "rounds",
                        "calls/s",
                        "CPU µs/call",
                        "KiB/call",
                        "p99 ms",
                        "caller's CPU");
        for (Contender contender : samples.contenders()) {
            table.row(
                    contender.name(),
                    Long.toString(samples.counted(contender)),
                    text(samples.median(contender, Sample::perSecond)),
                    text(samples.median(contender, Sample::cpuMicros)),
                    text(samples.median(contender, Sample::allocated)),
                    text(samples.median(contender, Sample::p99Millis)),
                    text(samples.median(contender, Sample::generator)));
        }
        report.print(table);
        for (Contender contender : samples.contenders()) {
            if (size == SMALL && contender.name().equals("ours-stateful")) {
                Ratios.check(
                        report,
                        "KiB per call of " + contender + ", " + load + ",",
                        samples.median(contender, Sample::allocated),
                        KIB);
            }
        }
        new Ratios(samples, size == LARGE, connections, load, report).print();
    }

    private void printResident() throws IOException {
        Table table = new Table("Resident size after these calls, MiB", "server", "resident");
        for (ServerProcess server : servers) {
            table.row(server.contender().name(), Table.number(server.resident() / 1048576.0));
        }
        report.print(table);
    }

    static String text(OptionalDouble figure) {
        return figure.isPresent() ? Table.number(figure.getAsDouble()) : "-";
    }
}
