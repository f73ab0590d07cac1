package dev.fairlead.benchmarks.servers;

import dev.fairlead.benchmarks.Machine;
import dev.fairlead.benchmarks.Report;

import java.nio.file.Path;
import java.util.List;

/** Measures whole servers beside each other and prints a table for each question. */
public final class ServerBenchmarks {
    private static final int FAILED = 1;
    private static final int MISUSED = 2;

    private ServerBenchmarks() {}

    /**
     * Runs what the {@linkplain ServerOptions#USAGE arguments} say. The system property {@code
     * fairlead.peers} is the folder of the peers, and {@code fairlead.launcher} the launcher.
     */
    public static void main(String[] arguments) throws Exception {
        if (List.of(arguments).contains("--help")) {
            System.out.print(ServerOptions.USAGE);
            return;
        }
        ServerOptions options;
        try {
            Wire wire = Wire.named(arguments.length == 0 ? "" : arguments[0]);
            List<Contender> all = wire.contenders(Path.of(System.getProperty("fairlead.peers")));
            List<String> rest = List.of(arguments).subList(1, arguments.length);
            options = ServerOptions.parse(wire, rest, all);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.println();
            System.err.print(ServerOptions.USAGE);
            System.exit(MISUSED);
            return;
        }
        System.exit(run(options, new Report(System.out)));
    }

    private static int run(ServerOptions options, Report report) throws Exception {
        long start = System.nanoTime();
        report.line(Machine.describe());
        options.wire().measure(options, report);
        report.line("");
        report.line(
                "Took %d s, %s"
                        .formatted((System.nanoTime() - start) / 1_000_000_000, Machine.load()));
        report.missed().forEach(missed -> report.line("MISSED: " + missed));
        return options.checked() && !report.missed().isEmpty() ? FAILED : 0;
    }
}
