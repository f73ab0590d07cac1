package dev.fairlead.benchmarks.soak;

import dev.fairlead.benchmarks.Machine;
import dev.fairlead.benchmarks.Program;
import dev.fairlead.benchmarks.Report;
import dev.fairlead.benchmarks.nodes.NodesSoak;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Has clients work with a server for a while, and reports lost messages and leaked resources. */
public final class Soak {
    private static final int FAILED = 1;

    private Soak() {}

    /** Runs a soak with the {@linkplain SoakOptions#USAGE arguments}. */
    public static void main(String[] arguments) throws Exception {
        Logger.getLogger("").setLevel(Level.WARNING);
        Program.main(arguments, SoakOptions.USAGE, SoakOptions::parse, Soak::run);
    }

    /** Soaks; the exit status. */
    static int run(SoakOptions options, Report report) throws Exception {
        report.line(Machine.describe());
        report.line(
                "%d sessions at a time for %.1f minutes, --seed %d"
                        .formatted(
                                options.sessions(),
                                options.time().toMillis() / 60_000.0,
                                options.seed()));
        if (options.nodes() > 0) {
            NodesSoak.run(
                    options.nodes(), options.time(), options.seed(), options.sessions(), report);
        } else {
            try (SoakRun run = new SoakRun(options, report)) {
                run.run();
            }
        }
        report.line("");
        report.line(Machine.load());
        report.missed().forEach(missed -> report.line("MISSED: " + missed));
        return report.missed().isEmpty() ? 0 : FAILED;
    }
}
