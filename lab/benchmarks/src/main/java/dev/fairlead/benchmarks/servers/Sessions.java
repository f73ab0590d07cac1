package dev.fairlead.benchmarks.servers;

import dev.fairlead.benchmarks.Figures;
import dev.fairlead.benchmarks.Report;
import dev.fairlead.benchmarks.Table;
import dev.fairlead.benchmarks.Target;
import dev.fairlead.benchmarks.servers.Contender.Kind;
import dev.fairlead.benchmarks.servers.Contender.Mode;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Measures the memory of a session whose client listens to its stream of events and does nothing
 * else.
 */
final class Sessions {
    /**
     * The number of sessions opened before the first measurement, so that one-time allocations are
     * done.
     */
    private static final int FIRST = 300;

    /** Some servers answer to such a GET only when they have an event. */
    private static final Duration SETTLE = Duration.ofSeconds(3);

    /** No server gets longer than that. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Target HEAP = Target.atMost(5.2);
    private static final Target RESIDENT = Target.atMost(15);
    private static final Target SAME = Target.atMost(1);
    private static final Target REACHED = Target.atMost(500);

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
            // A session is the same with any tool.
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

    /** A server without memory may keep running without ever answering. */
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
        Weight weight = weigh(server, lines);
        table.row(
                contender.name(),
                Calls.text(weight.heap()),
                weight.heap().isPresent()
                        ? check(contender, "live heap", weight.heap().getAsDouble(), HEAP)
                        : "",
                Table.number(weight.resident()),
                check(contender, "resident", weight.resident(), RESIDENT));
    }

    /** The memory of one of many sessions, in KiB. */
    private record Weight(OptionalDouble heap, double resident) {}

    private Weight weigh(ServerProcess server, List<Line> lines)
            throws IOException, InterruptedException {
        open(server, FIRST, lines);
        OptionalLong heap = server.liveHeap();
        long resident = server.resident();
        open(server, count, lines);
        OptionalLong fullHeap = server.liveHeap();
        OptionalDouble heapEach =
                heap.isPresent() && fullHeap.isPresent()
                        ? OptionalDouble.of(each(fullHeap.getAsLong() - heap.getAsLong()))
                        : OptionalDouble.empty();
        return new Weight(heapEach, each(server.resident() - resident));
    }

    // ---- streams of both eras

    /** Idle streams of revision 2026-07-28 beside sessions with a stream, and a change for all. */
    static void measureStreams(ServerOptions options, Report report) throws Exception {
        Sessions sessions = new Sessions(report, 5_000);
        sessions.compare(options.either(1, 3));
    }

    private void compare(int rounds) throws Exception {
        List<Double> heap = new ArrayList<>();
        List<Double> resident = new ArrayList<>();
        List<Double> reached = new ArrayList<>();
        Table table =
                new Table(
                        "Streams, %,d of them; KiB".formatted(count), "", "live heap", "resident");
        for (int round = 0; round < rounds; round++) {
            Weight session = weigh("session", Mode.STATEFUL, null);
            Weight stream = weigh("subscriptions/listen", Mode.PER_REQUEST, reached);
            table.row("session", Calls.text(session.heap()), Table.number(session.resident()));
            table.row("listen", Calls.text(stream.heap()), Table.number(stream.resident()));
            heap.add(stream.heap().orElseThrow() / session.heap().orElseThrow());
            resident.add(stream.resident() / session.resident());
        }
        report.print(table);
        Table ratios = new Table("Streams of subscriptions/listen, medians", "", "", "");
        ratio(ratios, "live heap, to a session", Figures.of(heap).median(), SAME);
        ratio(ratios, "resident, to a session", Figures.of(resident).median(), SAME);
        ratio(ratios, "a change reaches all, ms", Figures.of(reached).median(), REACHED);
        report.print(ratios);
    }

    private void ratio(Table table, String what, double figure, Target target) {
        table.row(
                what,
                Table.number(figure),
                report.check("listen streams, " + what + ",", figure, target)
                        + " ("
                        + target
                        + ")");
    }

    private Weight weigh(String name, Mode mode, @Nullable List<Double> reached)
            throws IOException, InterruptedException {
        List<Line> lines = new ArrayList<>();
        try (ServerProcess server =
                ServerProcess.start(Contenders.era(name, mode, EraServer.CHANGE))) {
            try {
                Weight weight = weigh(server, lines);
                if (reached != null) {
                    change(server, lines); // warms up
                    reached.add(change(server, lines));
                }
                return weight;
            } finally {
                for (Line line : lines) {
                    line.close();
                }
            }
        }
    }

    /** Changes the list of tools; the milliseconds until each stream has got something. */
    private static double change(ServerProcess server, List<Line> lines) throws IOException {
        ByteBuffer incoming = ByteBuffer.allocate(8 << 10);
        try (Line caller = Line.open(server.address());
                Selector selector = Selector.open()) {
            for (Line line : lines) {
                while (line.channel().read(incoming.clear()) > 0) {
                    // earlier messages
                }
                line.channel().register(selector, SelectionKey.OP_READ, line);
            }
            String headers = caller.agree(Mode.PER_REQUEST, EraServer.CHANGE);
            long start = System.nanoTime();
            caller.post(headers, CallTemplate.call(server.contender(), 120));
            int silent = lines.size();
            while (silent > 0 && selector.select(SETTLE.toMillis()) > 0) {
                for (SelectionKey key : selector.selectedKeys()) {
                    if (((Line) key.attachment()).channel().read(incoming.clear()) < 0) {
                        throw new IOException("a stream ended");
                    }
                    key.cancel();
                    silent--;
                }
                selector.selectedKeys().clear();
            }
            if (silent > 0) {
                throw new IOException("the change did not reach " + silent + " streams");
            }
            return (System.nanoTime() - start) / 1e6;
        }
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
                if (server.contender().isPerRequest()) {
                    line.listenPerRequest();
                } else {
                    line.listen(line.agree(Mode.STATEFUL, server.contender().tool()));
                }
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
