package dev.fairlead.benchmarks.servers;

import dev.fairlead.benchmarks.Figures;
import dev.fairlead.benchmarks.Report;
import dev.fairlead.benchmarks.Table;
import dev.fairlead.benchmarks.Target;
import dev.fairlead.benchmarks.servers.Contender.Kind;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** How long a program takes from its start until its first call over HTTP was answered. */
final class ClientStarts {
    private static final Target JAVA_SDK = Target.atMost(0.5);

    private ClientStarts() {}

    static void measure(ServerOptions options, Report report) throws Exception {
        Map<Contender, List<Double>> millis = new LinkedHashMap<>();
        options.contenders().forEach(client -> millis.put(client, new ArrayList<>()));
        try (ServerProcess server = ServerProcess.start(Contenders.ours().getFirst())) {
            int rounds = options.either(5, 31);
            for (int round = -1; round < rounds; round++) { // the first fills caches of the system
                for (Map.Entry<Contender, List<Double>> client : millis.entrySet()) {
                    long begin = System.nanoTime();
                    try (var process = client.getKey().startClient(List.of(server.uri()))) {
                        double taken = (System.nanoTime() - begin) / 1e6;
                        if (round >= 0) {
                            client.getValue().add(taken);
                        }
                    }
                }
            }
        }
        print(millis, report);
    }

    private static void print(Map<Contender, List<Double>> millis, Report report) {
        Table table =
                new Table(
                        "Start of a program to the answer to its first call over HTTP, ms, and"
                                + " medians of the ratios of each round",
                        "client",
                        "median",
                        "ours/theirs",
                        "");
        Map.Entry<Contender, List<Double>> ours = millis.entrySet().iterator().next();
        millis.forEach(
                (client, times) -> {
                    OptionalDouble ratio = Starts.ratio(ours.getValue(), times);
                    table.row(
                            client.name(),
                            Table.number(Figures.of(times).median()),
                            Calls.text(ratio),
                            client.kind() == Kind.JAVA_SDK
                                    ? Ratios.check(
                                            report,
                                            "first call of " + ours.getKey() + "/" + client + ",",
                                            ratio,
                                            JAVA_SDK)
                                    : "");
                });
        report.print(table);
    }
}
