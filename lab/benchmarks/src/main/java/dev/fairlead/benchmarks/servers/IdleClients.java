package dev.fairlead.benchmarks.servers;

import dev.fairlead.benchmarks.Child;
import dev.fairlead.benchmarks.Jvm;
import dev.fairlead.benchmarks.Report;
import dev.fairlead.benchmarks.Table;
import dev.fairlead.benchmarks.Target;
import dev.fairlead.benchmarks.servers.Contender.Kind;
import dev.fairlead.benchmarks.servers.Contender.Mode;

import java.io.IOException;
import java.util.List;

/**
 * The memory and the threads of the platform of many clients in one process, each of which listens
 * to a stream of changes and does nothing else.
 */
final class IdleClients {
    private static final Target RESIDENT = Target.atMost(20);
    private static final Target THREADS = Target.atMost(0.01);

    /** The number of clients before the first look, so that one-time allocations are done. */
    private static final int FIRST = 200;

    private static final int MORE = 1_000;

    private IdleClients() {}

    static void measure(ServerOptions options, Report report) throws Exception {
        Table table =
                new Table(
                        "An idle client with a stream of changes, of %,d".formatted(MORE),
                        "client",
                        "live heap KiB",
                        "resident KiB",
                        "",
                        "platform threads",
                        "");
        for (Contender client : options.contenders()) {
            if (client.kind() == Kind.OURS || client.kind() == Kind.JAVA_SDK) {
                row(table, report, client);
            }
        }
        report.print(table);
    }

    private static void row(Table table, Report report, Contender client) throws Exception {
        Contender plain = Contenders.era("plain", Mode.STATEFUL, EraServer.PLAIN);
        try (ServerProcess server = ServerProcess.start(plain);
                Child process = client.startClient(List.of(server.uri()))) {
            Weight before = open(process, FIRST);
            Weight after = open(process, MORE);
            double resident = (after.resident - before.resident) / 1024.0 / MORE;
            double threads = (after.threads - before.threads) / (double) MORE;
            table.row(
                    client.name(),
                    Table.number((after.heap - before.heap) / 1024.0 / MORE),
                    Table.number(resident),
                    check(report, client, "resident KiB", resident, RESIDENT),
                    Table.number(threads),
                    check(report, client, "platform threads", threads, THREADS));
        } catch (IOException e) {
            if (client.kind() == Kind.OURS) {
                throw e;
            }
            table.row(client.name(), "-", "-", "does not open so many", "-", "");
        }
    }

    private static String check(
            Report report, Contender client, String what, double figure, Target target) {
        return client.kind() == Kind.OURS
                ? report.check(what + " of an idle client, " + client + ",", figure, target)
                        + " ("
                        + target
                        + ")"
                : "";
    }

    /** The size of a process. */
    private record Weight(long heap, long resident, int threads) {}

    private static Weight open(Child process, int clients)
            throws IOException, InterruptedException {
        process.send("open " + clients);
        process.expect("opened");
        Jvm jvm = process.jvm();
        long heap = jvm.liveHeap();
        return new Weight(heap, jvm.resident(), jvm.platformThreads());
    }
}
