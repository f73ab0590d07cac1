package dev.fairlead.benchmarks.servers;

import dev.fairlead.benchmarks.Report;
import dev.fairlead.benchmarks.Table;
import dev.fairlead.benchmarks.Target;
import dev.fairlead.json.JsonObject;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Measures the CPU time that a gateway adds to a call, for each pair of eras of its client and its
 * server, beside the gateway of an earlier version. All take turns; the servers are the same.
 */
final class GatewayCost {
    private static final int SIZE = 120;
    private static final Target TARGET = Target.atMost(0.4);

    private final ServerOptions options;
    private final Report report;
    private final List<ServerProcess> gateways = new ArrayList<>();

    /**
     * The load of each gateway. Their sessions stay open: new ones in each turn would exceed the
     * limits of a gateway.
     */
    private final Map<ServerProcess, Load> loads = new LinkedHashMap<>();

    private GatewayCost(ServerOptions options, Report report) {
        this.options = options;
        this.report = report;
    }

    static void measure(ServerOptions options, Report report) throws Exception {
        new GatewayCost(options, report).measure();
    }

    private void measure() throws Exception {
        Path older = Files.createTempFile("fairlead-benchmark", ".json");
        Path newer = Files.createTempFile("fairlead-benchmark", ".json");
        try (ServerProcess withSessions = ServerProcess.start(Contenders.oursWithHandshake());
                ServerProcess perRequest = ServerProcess.start(Contenders.ours().getFirst())) {
            name(withSessions, older);
            name(perRequest, newer);
            List<Contender> pairs = new ArrayList<>(Contenders.gateways(older, newer));
            if (options.before() != null) {
                pairs.addAll(Contenders.gatewaysBefore(options.before(), older, newer));
            }
            Samples samples = new Samples();
            for (int i = 0; i < options.either(1, 3); i++) { // evens out compilation
                compare(pairs, samples);
            }
            print(samples);
        } finally {
            Files.delete(older);
            Files.delete(newer);
        }
    }

    /** Writes the file that names a server to gateways. */
    static void name(ServerProcess server, Path file) throws IOException {
        JsonObject servers = JsonObject.of("bench", JsonObject.of("url", server.uri()));
        Files.writeString(file, JsonObject.of("mcpServers", servers).toJson());
    }

    /** Measures in turns, each gateway in a new process. */
    private void compare(List<Contender> pairs, Samples samples) throws Exception {
        try {
            for (Contender pair : pairs) {
                start(pair);
            }
            for (int i = 0; i < options.either(3, 6); i++) { // warms up
                turn(options.either(1, 2), null);
            }
            for (int i = 0; i < options.either(3, 10); i++) {
                turn(options.either(1, 2), samples);
            }
        } finally {
            for (Load load : loads.values()) {
                load.close();
            }
            for (ServerProcess gateway : gateways) {
                gateway.close();
            }
            loads.clear();
            gateways.clear();
        }
    }

    private void start(Contender gateway) throws Exception {
        ServerProcess process = ServerProcess.startQuietly(gateway);
        gateways.add(process);
        loads.put(process, new Load(process, 16, SIZE));
        for (Load load : loads.values()) { // or idle connections would be closed meanwhile
            load.run(Duration.ofMillis(50));
        }
    }

    private void turn(int seconds, @Nullable Samples samples) throws IOException {
        for (Map.Entry<ServerProcess, Load> each : loads.entrySet()) {
            Load load = each.getValue();
            load.run(Duration.ofMillis(100)); // connects to the server
            Sample sample = load.run(Duration.ofSeconds(seconds));
            if (samples != null) {
                samples.add(each.getKey().contender(), sample);
            }
        }
    }

    private void print(Samples samples) {
        Table table =
                new Table(
                        "Cost of calls of 120 bytes on 16 connections for a gateway, medians",
                        "gateway",
                        "rounds",
                        "calls/s",
                        "CPU µs/call",
                        "KiB/call",
                        "p99 ms",
                        "CPU/before",
                        "");
        for (Contender gateway : samples.contenders()) {
            OptionalDouble ratio = OptionalDouble.empty();
            for (Contender other : samples.contenders()) {
                if (other.name().equals(Contenders.BEFORE + ", " + gateway)) {
                    ratio = samples.ratio(gateway, other, Sample::cpuMicros);
                }
            }
            table.row(
                    gateway.name(),
                    Long.toString(samples.counted(gateway)),
                    Calls.text(samples.median(gateway, Sample::perSecond)),
                    Calls.text(samples.median(gateway, Sample::cpuMicros)),
                    Calls.text(samples.median(gateway, Sample::allocated)),
                    Calls.text(samples.median(gateway, Sample::p99Millis)),
                    ratio.isPresent() ? Calls.text(ratio) : "",
                    ratio.isPresent()
                            ? Ratios.check(
                                    report,
                                    "CPU of a gateway per call, " + gateway + ", to before,",
                                    ratio,
                                    TARGET)
                            : "");
        }
        report.print(table);
    }
}
