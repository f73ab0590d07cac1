package dev.fairlead.benchmarks.soak;

import dev.fairlead.benchmarks.Child;
import dev.fairlead.benchmarks.Jvm;
import dev.fairlead.benchmarks.Report;
import dev.fairlead.benchmarks.Table;
import dev.fairlead.benchmarks.Target;
import dev.fairlead.benchmarks.soak.SoakServer.State;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Runs a server in a process of its own and clients in this one, and observes both. */
final class SoakRun implements AutoCloseable {
    /** How long something may still take that has to come by itself. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Target NONE = Target.atMost(0);

    /** The first lane of the rehearsal, whose numbers no other lane has. */
    private static final int REHEARSAL = 1_000_000;

    private static final Duration REHEARSAL_TIME = Duration.ofSeconds(1);

    private final SoakOptions options;
    private final Report report;
    private final Tally tally = new Tally();
    private final Gate gate = new Gate();
    private final Gate deserting = new Gate();
    private final Path folder = Files.createTempDirectory("fairlead-soak");
    private final Child server;
    private final int port;
    private long knownLost;
    private long relays;

    SoakRun(SoakOptions options, Report report) throws IOException {
        this.options = options;
        this.report = report;
        String place = "file:" + folder.resolve("soak.db");
        server = Child.start(SoakServer.class, place, "" + options.forget().toMillis());
        port = Integer.parseInt(server.expect("port"));
    }

    void run() throws Exception {
        rehearse();
        Side serverSide = new Side("server", server.jvm());
        Side clientSide = new Side("clients", new Jvm(ProcessHandle.current().pid()));
        List<Side> sides = List.of(serverSide, clientSide);
        try (Crowd crowd = crowd(0, options.sessions())) {
            watch(crowd, sides);
            crowd.end();
            awaitArrived();
        }
        awaitForgotten();
        judgeMessages();
        for (Side side : sides) {
            side.judgeHeap(options.warmUp(), report);
            side.judgeRest(PATIENCE, report);
        }
    }

    private Crowd crowd(int firstLane, int lanes) throws IOException {
        return new Crowd(port, firstLane, lanes, options, gate, deserting, tally);
    }

    /** Runs every action once, so that one-time allocations are done before the start. */
    private void rehearse() throws Exception {
        try (Crowd crowd = crowd(REHEARSAL, Math.min(8, options.sessions()))) {
            Thread.sleep(REHEARSAL_TIME.toMillis());
            crowd.end();
        }
        awaitForgotten();
    }

    /**
     * Looks at everything again and again, while the clients are paused and those that have left
     * are forgotten: their number depends more on the machine than on the server.
     */
    private void watch(Crowd crowd, List<Side> sides) throws Exception {
        long begin = System.nanoTime();
        long looks = options.time().dividedBy(options.interval());
        for (long look = 1; look <= looks; look++) {
            long at = begin + look * options.interval().toNanos();
            Thread.sleep(Duration.ofNanos(Math.max(0, at - System.nanoTime())));
            deserting.hold();
            awaitForgotten(options.sessions());
            gate.hold();
            try {
                awaitArrived();
                look(crowd, sides, Duration.ofNanos(System.nanoTime() - begin));
            } finally {
                gate.release();
                deserting.release();
            }
        }
    }

    private void look(Crowd crowd, List<Side> sides, Duration at) throws Exception {
        State state = state();
        report.line(
                "%5.1f min: %,d sent, lost %d, doubled %d; sessions %d of %,d, left %,d; cuts %,d; live MiB: server %s, clients %s"
                        .formatted(
                                at.toMillis() / 60_000.0,
                                tally.sent(),
                                tally.lost(),
                                tally.doubled(),
                                state.sessions(),
                                tally.sessions(),
                                tally.abandonedSessions(),
                                crowd.cuts(),
                                sides.getFirst().look(at),
                                sides.getLast().look(at)));
    }

    private State state() throws IOException {
        server.send("state");
        State state = State.parse(server.expect("state"));
        tally.counted(Kind.RUN, state.runs(), state.doubled());
        relays = state.relays();
        return state;
    }

    /** Waits until everything that was sent has come, but never for the same twice. */
    private void awaitArrived() throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        state();
        while (tally.lost() > knownLost && System.nanoTime() < end) {
            Thread.sleep(10); // between two looks
            state();
        }
        knownLost = tally.lost();
    }

    /** Waits until the server has forgotten all clients. */
    private void awaitForgotten() throws IOException, InterruptedException {
        State state = awaitForgotten(0);
        check("sessions that the server still has", state.sessions());
        check("requests that the server still handles", state.requests());
    }

    /** Waits, but not for ever, until the server knows no more sessions than that. */
    private State awaitForgotten(int sessions) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.plus(options.forget()).toNanos();
        State state = state();
        while ((state.sessions() > sessions || sessions == 0 && state.requests() > 0)
                && System.nanoTime() < end) {
            Thread.sleep(100); // between two looks
            state = state();
        }
        return state;
    }

    private void check(String what, long number) {
        if (number > 0) {
            report.line(what + ": " + number + " " + report.check(what, number, NONE));
        }
    }

    private void judgeMessages() {
        Table table =
                new Table(
                        "Messages sent and received",
                        "",
                        "sent",
                        "came",
                        "lost",
                        "",
                        "doubled",
                        "");
        for (Kind kind : Kind.values()) {
            long lost = tally.lost(kind);
            long doubled = tally.doubled(kind);
            table.row(
                    kind.plural(),
                    "%,d".formatted(tally.sent(kind)),
                    "%,d".formatted(tally.received(kind)),
                    Long.toString(lost),
                    report.check(kind.plural() + " that were lost", lost, NONE),
                    Long.toString(doubled),
                    report.check(kind.plural() + " that came twice", doubled, NONE));
        }
        report.print(table);
        report.line(
                "questions of tasks that were withdrawn and asked again on a better way: "
                        + tally.questionsAskedAgain());
        report.line("calls and connects that failed, since they were cut off: " + tally.cutOffs());
        report.line("threads that read and were replaced, since a handler took long: " + relays);
        tally.failures().forEach(failure -> report.line("FAILED: " + failure));
        report.line("");
    }

    @Override
    public void close() throws IOException, InterruptedException {
        server.close();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
