package dev.fairlead.benchmarks.servers;

import dev.fairlead.benchmarks.Figures;
import dev.fairlead.benchmarks.Report;
import dev.fairlead.benchmarks.Table;
import dev.fairlead.benchmarks.Target;
import dev.fairlead.benchmarks.servers.Contender.Mode;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.server.requeststate.RequestStates;
import dev.fairlead.server.requeststate.StateBinding;
import dev.fairlead.server.requeststate.StateContent;
import dev.fairlead.server.requeststate.StateKeys;
import dev.fairlead.server.requeststate.StateSettings;

import org.jspecify.annotations.Nullable;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Compares the cost of revision 2026-07-28 in our server with that of earlier revisions, all taking
 * turns.
 */
final class EraCost {
    private static final int SIZE = 120;

    /**
     * The number of states that are sealed before they are opened: they fit into the caches of a
     * processor, as a state does that has just been read from a socket.
     */
    private static final int BATCH = 32;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final ServerOptions options;
    private final Report report;

    private EraCost(ServerOptions options, Report report) {
        this.options = options;
        this.report = report;
    }

    static void measure(ServerOptions options, Report report) throws Exception {
        EraCost cost = new EraCost(options, report);
        if (options.asks("stdio")) {
            StdioCalls.measureOurs(options.with(Contenders.stdioEras()), report);
        }
        if (options.asks("rounds")) {
            cost.measureRounds();
        }
        if (options.asks("state")) {
            cost.measureState(1 << 10, Target.atMost(10));
            cost.measureState(16 << 10, Target.atMost(25));
        }
        if (options.asks("streams")) {
            Sessions.measureStreams(options, report);
        }
        if (options.asks("before") && options.before() != null) {
            Calls.measure(options.with(Contenders.httpBefore(options.before())), report);
            Calls.measureTasks(options.with(Contenders.tasksBefore(options.before())), report);
            StdioCalls.measureOurs(options.with(Contenders.stdioBefore(options.before())), report);
            Starts.measureOurs(options.with(Contenders.stdioBefore(options.before())), report);
        }
    }

    // ---- rounds and tasks over HTTP

    private void measureRounds() throws Exception {
        Contender plain = Contenders.era("plain", Mode.ASKABLE, EraServer.PLAIN);
        Contender asking = Contenders.era("question", Mode.ASKABLE, EraServer.ASK);
        Contender looking = Contenders.era("tasks/get", Mode.ASKABLE, EraServer.TASK);
        Samples samples = new Samples();
        List<ServerProcess> servers = new ArrayList<>();
        try {
            for (Contender contender : List.of(plain, asking, looking)) {
                ServerProcess server = ServerProcess.startQuietly(contender);
                servers.add(server);
                Calls.warmUp(server, 16, SIZE, options.either(300_000, 600_000));
            }
            for (int round = 0; round < options.either(5, 11); round++) {
                for (ServerProcess server : servers) {
                    try (Load load = new Load(server, 16, SIZE)) {
                        samples.add(
                                server.contender(),
                                load.run(Duration.ofSeconds(options.either(1, 2))));
                    }
                }
            }
        } finally {
            for (ServerProcess server : servers) {
                server.close();
            }
        }
        Table table =
                new Table(
                        "Requests of revision 2026-07-28 on 16 connections, medians",
                        "",
                        "rounds",
                        "per second",
                        "CPU µs",
                        "KiB",
                        "CPU/plain",
                        "");
        row(table, samples, plain, plain, null);
        row(table, samples, asking, plain, Target.atMost(2.3));
        row(table, samples, looking, plain, Target.atMost(1.2));
        report.print(table);
    }

    private void row(
            Table table,
            Samples samples,
            Contender contender,
            Contender plain,
            @Nullable Target target) {
        OptionalDouble ratio = samples.ratio(contender, plain, Sample::cpuMicros);
        table.row(
                contender.name(),
                Long.toString(samples.counted(contender)),
                Calls.text(samples.median(contender, Sample::perSecond)),
                Calls.text(samples.median(contender, Sample::cpuMicros)),
                Calls.text(samples.median(contender, Sample::allocated)),
                target == null ? "" : Calls.text(ratio),
                Ratios.check(report, contender + " in CPU, to a plain call,", ratio, target));
    }

    // ---- states

    /** Seals and opens a state again and again, on one thread. */
    private void measureState(int size, Target target) throws Exception {
        try (Timers timers = Timers.system("mcp-benchmark")) {
            measureState(timers, size, target);
        }
    }

    private void measureState(Timers timers, int size, Target target) {
        RequestStates states =
                new RequestStates(
                        new StateSettings(
                                StateKeys.ofProcess(), Duration.ofMinutes(10), 64 << 10, "eras"),
                        timers,
                        refused -> {});
        StateContent content =
                new StateContent(
                        0,
                        0,
                        1,
                        "base",
                        List.of(),
                        Map.of("name", new StateContent.Asked("digest", null)),
                        Map.of("value", RawJson.of(JsonValue.of("x".repeat(size)))),
                        null,
                        null,
                        null,
                        null);
        int times = options.either(30, 60);
        List<Double> sealing = new ArrayList<>();
        List<Double> both = new ArrayList<>();
        String[] sealed = new String[BATCH];
        RawJson[] received = new RawJson[BATCH]; // as a part of a request that was read
        for (int round = -options.either(20, 40); round < options.either(11, 31); round++) {
            long inSeal = 0;
            long inOpen = 0;
            for (int time = 0; time < times; time++) {
                long start = THREADS.getCurrentThreadCpuTime();
                for (int i = 0; i < BATCH; i++) {
                    sealed[i] = states.seal(content, binding(), false);
                }
                inSeal += THREADS.getCurrentThreadCpuTime() - start;
                for (int i = 0; i < BATCH; i++) {
                    received[i] = RawJson.of(JsonValue.of(sealed[i]));
                }
                long middle = THREADS.getCurrentThreadCpuTime();
                for (int i = 0; i < BATCH; i++) {
                    if (states.open(received[i], binding()).round() != 1) {
                        throw new IllegalStateException("another state was opened");
                    }
                }
                inOpen += THREADS.getCurrentThreadCpuTime() - middle;
            }
            if (round >= 0) {
                sealing.add(inSeal / 1e3 / times / BATCH);
                both.add((inSeal + inOpen) / 1e3 / times / BATCH);
            }
        }
        double sum = Figures.of(both).median();
        Table table =
                new Table(
                        "A state with a value of %,d bytes, CPU µs, medians".formatted(size),
                        "seal",
                        "seal and open",
                        "");
        table.row(
                Table.number(Figures.of(sealing).median()),
                Table.number(sum),
                report.check("seal and open with %,d bytes, µs,".formatted(size), sum, target)
                        + " ("
                        + target
                        + ")");
        report.print(table);
    }

    /** Returns a binding, as each request makes its own. */
    private static StateBinding binding() {
        return new StateBinding(
                "eras",
                Caller.anonymous(),
                "tools/call",
                "ask",
                RawJson.of(JsonObject.of("text", "x".repeat(SIZE))));
    }
}
