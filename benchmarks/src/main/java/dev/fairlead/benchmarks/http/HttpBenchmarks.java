package dev.fairlead.benchmarks.http;

import dev.fairlead.benchmarks.Machine;
import dev.fairlead.benchmarks.Report;

import java.nio.file.Path;
import java.util.List;

/** Measures whole servers beside each other and prints a table for each question. */
public final class HttpBenchmarks {
    private static final int FAILED = 1;
    private static final int MISUSED = 2;

    private HttpBenchmarks() {}

    /**
     * Runs what the {@linkplain HttpOptions#USAGE arguments} say. The system property {@code
     * fairlead.peers} is the folder of the peers.
     */
    public static void main(String[] arguments) throws Exception {
        HttpOptions options;
        try {
            List<Contender> all = Contenders.all(Path.of(System.getProperty("fairlead.peers")));
            options = HttpOptions.parse(List.of(arguments), all);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.println();
            System.err.print(HttpOptions.USAGE);
            System.exit(MISUSED);
            return;
        }
        System.exit(run(options, new Report(System.out)));
    }

    private static int run(HttpOptions options, Report report) throws Exception {
        long start = System.nanoTime();
        report.line(Machine.describe());
        if (options.asks("calls")) {
            Calls.measure(options, report);
        }
        if (options.asks("large")) {
            Calls.measureLarge(options, report);
        }
        if (options.asks("sessions")) {
            Sessions.measure(options, report);
        }
        report.line("");
        report.line(
                "Took %d s, %s"
                        .formatted((System.nanoTime() - start) / 1_000_000_000, Machine.load()));
        report.missed().forEach(missed -> report.line("MISSED: " + missed));
        return options.checked() && !report.missed().isEmpty() ? FAILED : 0;
    }
}
