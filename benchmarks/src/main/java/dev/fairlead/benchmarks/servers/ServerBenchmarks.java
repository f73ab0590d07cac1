package dev.fairlead.benchmarks.servers;

import dev.fairlead.benchmarks.Program;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Measures whole servers beside each other and prints a table for each question. */
public final class ServerBenchmarks {
    private ServerBenchmarks() {}

    /**
     * Runs what the {@linkplain ServerOptions#USAGE arguments} say. The system property {@code
     * fairlead.peers} is the folder of the peers, and {@code fairlead.launcher} the launcher.
     */
    public static void main(String[] arguments) throws Exception {
        Program.main(
                arguments,
                ServerOptions.USAGE,
                ServerBenchmarks::parse,
                (options, report) ->
                        Program.measure(
                                report,
                                options.checked(),
                                () -> options.wire().measure(options, report)));
    }

    private static ServerOptions parse(List<String> arguments) throws IOException {
        Wire wire = Wire.named(arguments.isEmpty() ? "" : arguments.getFirst());
        List<Contender> all = wire.contenders(Path.of(System.getProperty("fairlead.peers", "")));
        return ServerOptions.parse(wire, arguments.subList(1, arguments.size()), all);
    }
}
