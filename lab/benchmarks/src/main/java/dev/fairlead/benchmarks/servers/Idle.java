package dev.fairlead.benchmarks.servers;

import dev.fairlead.benchmarks.Report;
import dev.fairlead.benchmarks.Table;
import dev.fairlead.benchmarks.Target;

import java.time.Duration;

/** The processor time of a server that was called before and has nothing to do now. */
final class Idle {
    private static final Target TARGET = Target.atMost(0.1);
    private static final int CONNECTIONS = 16;

    /** The compilers still took 2 s of CPU in the first minute, and 0.1 s in the third. */
    private static final Duration SETTLES = Duration.ofMinutes(2);

    private Idle() {}

    static void measure(ServerOptions options, Report report) throws Exception {
        try (ServerProcess server = ServerProcess.start(Contenders.ours().getFirst())) {
            Calls.warmUp(server, CONNECTIONS, 120, options.either(30_000, 150_000));
            Thread.sleep(SETTLES); // compilers end their work
            Duration before = server.cpu();
            Thread.sleep(Duration.ofMinutes(1)); // the time that is measured
            double seconds = server.cpu().minus(before).toNanos() / 1e9;
            Table table = new Table("An idle server, s of CPU in a minute", "CPU", "");
            table.row(
                    Table.number(seconds),
                    report.check("idle server, s of CPU in a minute,", seconds, TARGET)
                            + " ("
                            + TARGET
                            + ")");
            report.print(table);
        }
    }
}
