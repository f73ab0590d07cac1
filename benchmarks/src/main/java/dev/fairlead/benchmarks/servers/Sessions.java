package dev.fairlead.benchmarks.servers;

import dev.fairlead.benchmarks.Report;
import dev.fairlead.benchmarks.Table;
import dev.fairlead.benchmarks.Target;
import dev.fairlead.benchmarks.servers.Contender.Kind;
import dev.fairlead.benchmarks.servers.Contender.Mode;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** What a session weighs whose client listens to its stream of events and does nothing else. */
final class Sessions {
    /** Opened before the first measurement, so that what is made once is there. */
    private static final int FIRST = 300;

    /** Some servers answer to such a GET only when they have an event. */
    private static final Duration SETTLE = Duration.ofSeconds(3);

    /** No server gets longer than that. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Target HEAP = Target.atMost(5.2);
    private static final Target RESIDENT = Target.atMost(15);

    private final Report report;
    private final int count;

    private Sessions(Report report, int count) {
        this.report = report;
        this.count = count;
    }

    static void measure(ServerOptions options, Report report) throws Exception {
        new Sessions(report, options.either(1_000, 5_000)).measure(options.contenders());
    }

    private void measure(List<Contender> contenders) throws Exception {
        Table table =
                new Table(
                        "A session with an open stream, of %,d; KiB".formatted(count),
                        "server",
                        "live heap",
                        "",
                        "resident",
                        "");
        for (Contender contender : contenders) {
            // Whatever the tool is, a session is the same.
            if (contender.mode() == Mode.STATEFUL && contender.tool().equals("echo")) {
                row(table, contender);
            }
        }
        report.print(table);
    }

    private void row(Table table, Contender contender) throws Exception {
        List<Line> lines = new ArrayList<>();
        try (ServerProcess server = ServerProcess.start(contender)) {
            Thread watch = Thread.ofVirtual().start(() -> killAfter(server, PATIENCE));
            try {
                row(table, contender, server, lines);
            } catch (IOException e) {
                if (contender.kind() == Kind.OURS) {
                    throw e;
                }
                table.row(contender.name(), "-", "", "-", "does not hold so many");
            } finally {
                watch.interrupt();
                watch.join();
                for (Line line : lines) {
                    line.close();
                }
            }
        }
    }

    /** A server without memory may go on without ever answering. */
    private static void killAfter(ServerProcess server, Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
            server.kill();
        } catch (InterruptedException e) {
            // it was measured
        }
    }

    private void row(Table table, Contender contender, ServerProcess server, List<Line> lines)
            throws IOException, InterruptedException {
        open(server, FIRST, lines);
        OptionalLong heap = server.liveHeap();
        long resident = server.resident();
        open(server, count, lines);
        OptionalLong fullHeap = server.liveHeap();
        double residentEach = each(server.resident() - resident);
        String heapEach = "-";
        String heapMet = "";
        if (heap.isPresent() && fullHeap.isPresent()) {
            double each = each(fullHeap.getAsLong() - heap.getAsLong());
            heapEach = Table.number(each);
            heapMet = check(contender, "live heap", each, HEAP);
        }
        table.row(
                contender.name(),
                heapEach,
                heapMet,
                Table.number(residentEach),
                check(contender, "resident", residentEach, RESIDENT));
    }

    private double each(long bytes) {
        return bytes / 1024.0 / count;
    }

    private String check(Contender contender, String what, double figure, Target target) {
        if (contender.kind() != Kind.OURS) {
            return "";
        }
        return report.check("a session of " + contender + ", " + what + ",", figure, target)
                + " ("
                + target
                + ")";
    }

    private static void open(ServerProcess server, int count, List<Line> lines) throws IOException {
        try (Selector selector = Selector.open()) {
            for (int i = 0; i < count; i++) {
                Line line = Line.open(server.address());
                lines.add(line);
                line.listen(line.agree(Mode.STATEFUL, server.contender().tool()));
                line.reader().reset();
                line.channel().configureBlocking(false);
                line.channel().register(selector, SelectionKey.OP_READ, line);
            }
            awaitHeads(selector, count);
        }
    }

    /** Until each stream has begun, or nothing more comes. */
    private static void awaitHeads(Selector selector, int count) throws IOException {
        ByteBuffer incoming = ByteBuffer.allocate(8 << 10);
        int silent = count;
        while (silent > 0 && selector.select(SETTLE.toMillis()) > 0) {
            for (SelectionKey key : selector.selectedKeys()) {
                Line line = (Line) key.attachment();
                if (line.channel().read(incoming.clear()) < 0) {
                    throw new IOException("a stream ended at once");
                }
                boolean had = line.reader().hasHead();
                line.reader().take(incoming.flip());
                if (!had && line.reader().hasHead()) {
                    silent--;
                }
            }
            selector.selectedKeys().clear();
        }
    }
}
