package dev.fairlead.benchmarks.servers;

import dev.fairlead.benchmarks.Child;
import dev.fairlead.benchmarks.Report;
import dev.fairlead.benchmarks.Table;
import dev.fairlead.benchmarks.Target;
import dev.fairlead.benchmarks.servers.Contender.Kind;
import dev.fairlead.benchmarks.servers.Contender.Mode;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Measures the cost of a call in clients, without that of the server: ours in each era of the
 * protocol, the official SDKs', and a bare one. Each has a process of its own, and all take turns;
 * several such sets of processes in a row even out differences of compilation.
 */
final class ClientCost {
    private final ServerOptions options;
    private final Report report;
    private final String wire;
    private final List<Contender> clients;

    /** The rounds for each number of callers. */
    private final Map<Integer, Samples> measured = new TreeMap<>();

    private ClientCost(
            ServerOptions options,
            Report report,
            String wire,
            List<Contender> clients,
            int... callers) {
        this.options = options;
        this.report = report;
        this.wire = wire;
        this.clients = clients;
        for (int each : callers) {
            measured.put(each, new Samples());
        }
    }

    /** Measures calls of one server in another process, by 1 and 16 callers. */
    static void measureHttp(ServerOptions options, Report report) throws Exception {
        ClientCost cost = new ClientCost(options, report, "HTTP", options.contenders(), 1, 16);
        try (ServerProcess server = ServerProcess.start(Contenders.ours().getFirst())) {
            cost.measure(List.of(server.uri()));
        }
    }

    /** Measures calls of a child for each client: one after the other, and 64 under way. */
    static void measureStdio(ServerOptions options, Report report) throws Exception {
        List<Contender> clients =
                options.contenders().stream().filter(each -> each.kind() != Kind.ENGINE).toList();
        new ClientCost(options, report, "stdio", clients, 1, 64)
                .measure(Contenders.oursOnStdio().command());
    }

    private void measure(List<String> server) throws Exception {
        for (int i = 0; i < options.either(1, 3); i++) {
            Map<Contender, Child> processes = new LinkedHashMap<>();
            try {
                for (Contender client : clients) {
                    processes.put(client, client.startClient(server));
                }
                measure(processes);
            } finally {
                for (Child process : processes.values()) {
                    process.close();
                }
            }
        }
        measured.forEach(this::print);
    }

    private void measure(Map<Contender, Child> processes) throws IOException {
        int millis = options.either(1_000, 2_000);
        List<Map.Entry<Contender, Child>> order = new ArrayList<>(processes.entrySet());
        int warmUps = 3;
        for (int round = -warmUps; round < options.either(3, 6); round++) {
            for (Map.Entry<Integer, Samples> load : measured.entrySet()) {
                for (Map.Entry<Contender, Child> client : order) {
                    Sample sample = sample(client.getValue(), load.getKey(), millis);
                    if (round >= 0) {
                        load.getValue().add(client.getKey(), sample);
                    }
                }
            }
            Collections.rotate(order, 1);
        }
    }

    private static Sample sample(Child client, int callers, int millis) throws IOException {
        client.send("call " + callers + " " + millis);
        String[] made = client.expect("made").split(" ");
        double calls = Double.parseDouble(made[0]);
        return new Sample(
                calls * 1e3 / millis,
                Long.parseLong(made[1]) / 1e3 / calls,
                Long.parseLong(made[2]) / 1024.0 / calls,
                0,
                0);
    }

    // ---- results

    private void print(int callers, Samples samples) {
        String load = "120 bytes over " + wire + ", " + callers + " callers";
        Table table =
                new Table(
                        "Cost for the client of calls of " + load + ", medians",
                        "client",
                        "rounds",
                        "calls/s",
                        "CPU µs/call",
                        "KiB/call");
        for (Contender client : clients) {
            table.row(
                    client.name(),
                    Long.toString(samples.counted(client)),
                    Calls.text(samples.median(client, Sample::perSecond)),
                    Calls.text(samples.median(client, Sample::cpuMicros)),
                    client.kind() == Kind.TYPESCRIPT
                            ? "-"
                            : Calls.text(samples.median(client, Sample::allocated)));
        }
        report.print(table);
        Table ratios =
                new Table(
                        "Ours/theirs, " + load + ", medians of the ratios of each round",
                        "ours/theirs",
                        "calls/s",
                        "",
                        "CPU/call",
                        "");
        for (Contender ours : clients) {
            for (Contender theirs : clients) {
                if (compares(ours, theirs)) {
                    row(ratios, load, callers, samples, ours, theirs);
                }
            }
        }
        report.print(ratios);
    }

    /** Whether both are of the same era, or ours in both. */
    private static boolean compares(Contender ours, Contender theirs) {
        return ours.kind() == Kind.OURS
                && (theirs.kind() == Kind.OURS
                        ? ours.mode() == Mode.PER_REQUEST && theirs.mode() == Mode.STATEFUL
                        : ours.mode() == theirs.mode());
    }

    private void row(
            Table table,
            String load,
            int callers,
            Samples samples,
            Contender ours,
            Contender theirs) {
        String pair = ours + "/" + theirs;
        OptionalDouble rate = samples.ratio(ours, theirs, Sample::perSecond);
        OptionalDouble cpu = samples.ratio(ours, theirs, Sample::cpuMicros);
        String calls = pair + " in calls/s, " + load + ",";
        String cost = pair + " in CPU per call, " + load + ",";
        table.row(
                pair,
                Calls.text(rate),
                Ratios.check(report, calls, rate, rateTarget(theirs.kind(), callers)),
                Calls.text(cpu),
                Ratios.check(report, cost, cpu, cpuTarget(theirs.kind(), callers)));
    }

    private @Nullable Target rateTarget(Kind theirs, int callers) {
        boolean http = wire.equals("HTTP");
        return switch (theirs) {
            case JAVA_SDK -> http ? Target.atLeast(4) : null;
            case TYPESCRIPT -> http ? null : Target.atLeast(callers == 1 ? 1.5 : 3);
            default -> null;
        };
    }

    private @Nullable Target cpuTarget(Kind theirs, int callers) {
        return switch (theirs) {
            case OURS -> Target.atMost(1);
            case ENGINE -> Target.atMost(1.5);
            case JAVA_SDK -> wire.equals("HTTP") ? Target.atMost(callers == 1 ? 0.3 : 0.25) : null;
            default -> null;
        };
    }
}
