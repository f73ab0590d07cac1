package dev.fairlead.benchmarks.servers;

import dev.fairlead.benchmarks.Program;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Measures whole servers beside each other and prints a table for each question. */
public final class ServerBenchmarks {
    private ServerBenchmarks() {}

    /**
     * Runs the benchmarks that the {@linkplain ServerOptions#USAGE arguments} name. The system
     * property {@code fairlead.peers} is the folder of the peers, and {@code fairlead.launcher} the
     * launcher.
     */
    public static void main(String[] arguments) throws Exception {
        Program.main(
                arguments,
                ServerOptions.USAGE,
                ServerBenchmarks::parse,
                (runs, report) ->
                        Program.measure(
                                report,
                                runs.getFirst().checked(),
                                () -> {
                                    for (ServerOptions options : runs) {
                                        options.wire().measure(options, report);
                                    }
                                }));
    }

    /** Returns the benchmarks to run one after the other. */
    static List<ServerOptions> parse(List<String> arguments) throws IOException {
        String name = arguments.isEmpty() ? "" : arguments.getFirst();
        List<Wire> wires = name.equals("all") ? Wire.BESIDE_OTHERS : List.of(Wire.named(name));
        List<ServerOptions> runs = new ArrayList<>();
        for (Wire wire : wires) {
            List<Contender> all =
                    wire.contenders(Path.of(System.getProperty("fairlead.peers", "")));
            runs.add(ServerOptions.parse(wire, arguments.subList(1, arguments.size()), all));
        }
        return runs;
    }
}
