package dev.fairlead.benchmarks.servers;

import dev.fairlead.benchmarks.Child;
import dev.fairlead.benchmarks.Figures;
import dev.fairlead.benchmarks.Report;
import dev.fairlead.benchmarks.Table;
import dev.fairlead.benchmarks.Target;
import dev.fairlead.protocol.Era;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * Measures the cost of a call in our client in each era of the protocol, without that of the
 * server. Clients of both eras are in one process, and take turns; several processes in a row even
 * out differences of compilation.
 */
final class ClientCost {
    private static final Target TARGET = Target.atMost(1);

    private final ServerOptions options;
    private final Report report;
    private final Map<Integer, Rounds> measured = new TreeMap<>();

    /** The cost of a call in one round of one era. */
    private record Cost(double cpuMicros, double kibibytes, double perSecond) {}

    /** One round of both eras. */
    private record Round(Cost handshake, Cost perRequest) {
        Cost of(Era era) {
            return era == Era.HANDSHAKE ? handshake : perRequest;
        }

        double ratio() {
            return perRequest.cpuMicros() / handshake.cpuMicros();
        }
    }

    /** All rounds with the same number of callers. */
    private static final class Rounds {
        private final List<Round> all = new ArrayList<>();

        double median(ToDoubleFunction<Round> figure) {
            return Figures.of(all.stream().map(figure::applyAsDouble).toList()).median();
        }

        double median(Era era, ToDoubleFunction<Cost> figure) {
            return median(round -> figure.applyAsDouble(round.of(era)));
        }
    }

    private ClientCost(ServerOptions options, Report report) {
        this.options = options;
        this.report = report;
        measured.put(1, new Rounds());
        measured.put(16, new Rounds());
    }

    /** Measures calls over HTTP and over stdio, as far as they are asked for. */
    static void measure(ServerOptions options, Report report) throws Exception {
        if (options.asks("http")) {
            new ClientCost(options, report).measureHttp();
        }
        if (options.asks("stdio")) {
            new ClientCost(options, report).measureStdio();
        }
    }

    private void measureHttp() throws Exception {
        for (int i = 0; i < processes(); i++) {
            try (ServerProcess server = ServerProcess.start(Contenders.ours().getFirst())) {
                String uri = "http://127.0.0.1:" + server.address().getPort() + "/mcp";
                try (Child client = Child.start(CallingClient.class, uri)) {
                    measure(client);
                }
            }
        }
        print("HTTP");
    }

    private void measureStdio() throws Exception {
        String[] command = Contenders.oursOnStdio().command().toArray(String[]::new);
        for (int i = 0; i < processes(); i++) {
            try (Child client = Child.start(CallingClient.class, command)) {
                measure(client);
            }
        }
        print("stdio");
    }

    private int processes() {
        return options.either(1, 3);
    }

    private void measure(Child client) throws IOException {
        client.expect("ready");
        for (int i = 0; i < 3; i++) { // warms up
            for (int callers : measured.keySet()) {
                round(client, callers, options.either(1_000, 2_500), i);
            }
        }
        for (int i = 0; i < options.either(3, 8); i++) {
            for (Map.Entry<Integer, Rounds> load : measured.entrySet()) {
                int millis = options.either(1_000, 2_000);
                load.getValue().all.add(round(client, load.getKey(), millis, i));
            }
        }
    }

    /** Both eras, each first in every other round. */
    private static Round round(Child client, int callers, int millis, int number)
            throws IOException {
        if (number % 2 == 0) {
            Cost handshake = cost(client, Era.HANDSHAKE, callers, millis);
            return new Round(handshake, cost(client, Era.PER_REQUEST, callers, millis));
        }
        Cost perRequest = cost(client, Era.PER_REQUEST, callers, millis);
        return new Round(cost(client, Era.HANDSHAKE, callers, millis), perRequest);
    }

    private static Cost cost(Child client, Era era, int callers, int millis) throws IOException {
        client.send(era + " " + callers + " " + millis);
        String[] made = client.expect("made").split(" ");
        double calls = Double.parseDouble(made[0]);
        return new Cost(
                Long.parseLong(made[1]) / 1e3 / calls,
                Long.parseLong(made[2]) / 1024.0 / calls,
                calls * 1e3 / millis);
    }

    private void print(String wire) {
        Table table =
                new Table(
                        "Cost of calls of 120 bytes over " + wire + " for the client, medians",
                        "callers, era",
                        "rounds",
                        "calls/s",
                        "CPU µs/call",
                        "KiB/call",
                        "CPU/handshake",
                        "");
        measured.forEach(
                (callers, rounds) -> {
                    for (Era era : List.of(Era.HANDSHAKE, Era.PER_REQUEST)) {
                        String name =
                                callers + (era == Era.HANDSHAKE ? ", handshake" : ", per request");
                        double ratio = rounds.median(Round::ratio);
                        table.row(
                                name,
                                Integer.toString(rounds.all.size()),
                                Table.number(rounds.median(era, Cost::perSecond)),
                                Table.number(rounds.median(era, Cost::cpuMicros)),
                                Table.number(rounds.median(era, Cost::kibibytes)),
                                era == Era.HANDSHAKE ? "" : Table.number(ratio),
                                era == Era.HANDSHAKE
                                        ? ""
                                        : report.check(
                                                        wire
                                                                + ", "
                                                                + callers
                                                                + " callers, CPU of the client per"
                                                                + " request/with a handshake",
                                                        ratio,
                                                        TARGET)
                                                + " ("
                                                + TARGET
                                                + ")");
                    }
                });
        report.print(table);
    }
}
