package dev.fairlead.benchmarks.servers;

import dev.fairlead.benchmarks.Report;
import dev.fairlead.benchmarks.nodes.NodesCost;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The subject of a measurement: calls over a transport, starts, our client, gateway, nodes and
 * eras.
 */
enum Wire {
    HTTP("calls", "large", "slow", "console", "sessions", "idle"),
    STDIO("sequential", "pipelined"),
    START("plain", "aot", "launcher"),
    CLIENT("http", "stdio", "start", "idle"),
    GATEWAY("calls"),
    NODES("calls"),
    ERAS("stdio", "rounds", "state", "streams", "before");

    /** The measurements beside servers of others. */
    static final List<Wire> BESIDE_OTHERS = List.of(HTTP, STDIO, START);

    private final Set<String> questions;

    Wire(String... questions) {
        this.questions = Set.of(questions);
    }

    static Wire named(String name) {
        for (Wire wire : values()) {
            if (wire.name().toLowerCase(Locale.ROOT).equals(name)) {
                return wire;
            }
        }
        throw new IllegalArgumentException("nothing is measured by the name " + name);
    }

    /** Returns the names of the questions that can be selected. */
    Set<String> questions() {
        return questions;
    }

    /**
     * The contenders that speak this transport.
     *
     * @param peers the folder where the peers were built
     */
    List<Contender> contenders(Path peers) throws IOException {
        return switch (this) {
            case HTTP -> Contenders.all(peers);
            case STDIO, START -> Contenders.stdio(peers);
            case CLIENT -> Contenders.clients(peers);
            case GATEWAY, NODES, ERAS -> List.of(); // ours alone
        };
    }

    void measure(ServerOptions options, Report report) throws Exception {
        switch (this) {
            case HTTP -> {
                if (options.asks("calls")) {
                    Calls.measure(options, report);
                }
                if (options.asks("large")) {
                    Calls.measureLarge(options, report);
                }
                if (options.asks("slow")) {
                    Calls.measureSlow(options, report);
                }
                if (options.asks("console")) {
                    Calls.measureWatched(options, report);
                }
                if (options.asks("sessions")) {
                    Sessions.measure(options, report);
                }
                if (options.asks("idle")) {
                    Idle.measure(options, report);
                }
            }
            case STDIO -> StdioCalls.measure(options, report);
            case START -> Starts.measure(options, report);
            case CLIENT -> {
                if (options.asks("http")) {
                    ClientCost.measureHttp(options, report);
                }
                if (options.asks("stdio")) {
                    ClientCost.measureStdio(options, report);
                }
                if (options.asks("start")) {
                    ClientStarts.measure(options, report);
                }
                if (options.asks("idle")) {
                    IdleClients.measure(options, report);
                }
            }
            case GATEWAY -> GatewayCost.measure(options, report);
            case NODES -> NodesCost.measure(report, options.quick());
            case ERAS -> EraCost.measure(options, report);
        }
    }
}
