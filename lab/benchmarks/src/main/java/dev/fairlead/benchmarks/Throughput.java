package dev.fairlead.benchmarks;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How many tasks live in a second, beside the bare statements: both in rounds, one after the other,
 * so that what else happens on the machine meets both.
 */
final class Throughput implements Question {
    private static final Target MEMORY = Target.atLeast(20_000);
    private static final Target SQLITE = Target.atLeast(0.8);
    private static final Target POSTGRES = Target.atLeast(0.5);

    @Override
    public String name() {
        return "throughput";
    }

    @Override
    public void answer(Bench bench) throws Exception {
        int rounds = bench.either(3, 7);
        Duration time = Duration.ofMillis(bench.either(1_500, 3_000));
        Table table =
                new Table(
                        ("Throughput: create, finish, result (engine: from memory; bare: read"
                             + " back); %d callers, each its own owner; medians of %d rounds of %s"
                             + " s")
                                .formatted(Round.CALLERS, rounds, time.toMillis() / 1e3),
                        "store",
                        "engine/s",
                        "p50 ms",
                        "p99 ms",
                        "bare/s",
                        "engine/bare",
                        "lowest",
                        "highest",
                        "changes per fsync",
                        "bare",
                        "target",
                        "");
        for (StoreKind kind : bench.stores()) {
            measure(bench, kind, rounds, time, table);
        }
        bench.report().print(table);
    }

    private static void measure(Bench bench, StoreKind kind, int rounds, Duration time, Table table)
            throws Exception {
        List<Round> engine = new ArrayList<>();
        List<Round> bare = new ArrayList<>();
        try (Lifecycle ours = new EngineLifecycle(bench.place(kind));
                Lifecycle theirs = kind.isDurable() ? bare(bench, kind) : null) {
            Round.of(ours, time);
            if (theirs != null) {
                Round.of(theirs, time);
            }
            for (int round = 0; round < rounds; round++) {
                engine.add(Round.of(ours, time));
                if (theirs != null) {
                    bare.add(Round.of(theirs, time));
                }
            }
        }
        if (bare.isEmpty()) {
            alone(bench, kind, engine, table);
        } else {
            beside(bench, kind, engine, bare, table);
        }
    }

    private static Lifecycle bare(Bench bench, StoreKind kind) throws IOException, SQLException {
        return kind == StoreKind.SQLITE
                ? new BareSqlite(bench.place(kind))
                : new BarePostgres(bench.place(kind));
    }

    private static void alone(Bench bench, StoreKind kind, List<Round> engine, Table table) {
        double perSecond = rate(engine);
        String met = bench.report().check("tasks per second in memory", perSecond, MEMORY);
        table.row(
                kind.toString(),
                Table.number(perSecond),
                Table.number(millis(engine, 0.5)),
                Table.number(millis(engine, 0.99)),
                "-",
                "-",
                "-",
                "-",
                "-",
                "-",
                MEMORY + "/s",
                met);
    }

    private static void beside(
            Bench bench, StoreKind kind, List<Round> engine, List<Round> bare, Table table)
            throws Exception {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < engine.size(); round++) {
            ratios.add(engine.get(round).perSecond() / bare.get(round).perSecond());
        }
        Figures ratio = Figures.of(ratios);
        Target target = kind == StoreKind.SQLITE ? SQLITE : POSTGRES;
        String met = bench.report().check("engine/bare on " + kind, ratio.median(), target);
        table.row(
                kind.toString(),
                Table.number(rate(engine)),
                Table.number(millis(engine, 0.5)),
                Table.number(millis(engine, 0.99)),
                Table.number(rate(bare)),
                Table.number(ratio.median()),
                Table.number(ratio.lowest()),
                Table.number(ratio.highest()),
                Table.number(changesPerSync(bench, kind, false)),
                Table.number(changesPerSync(bench, kind, true)),
                target.toString(),
                met);
    }

    private static double rate(List<Round> rounds) {
        return Figures.of(rounds.stream().map(Round::perSecond).toList()).median();
    }

    private static double millis(List<Round> rounds, double part) {
        return Figures.of(
                        rounds.stream().map(round -> Figures.of(round.millis()).at(part)).toList())
                .median();
    }

    /** How many acknowledged changes share one write to the disk. */
    private static double changesPerSync(Bench bench, StoreKind kind, boolean bare)
            throws Exception {
        String place = bench.place(kind);
        Wal wal = kind == StoreKind.POSTGRES ? new Wal(place) : null;
        long before = wal == null ? 0 : wal.syncs();
        long syncs;
        int tasks;
        try (Lifecycle lifecycle = bare ? bare(bench, kind) : new EngineLifecycle(place)) {
            tasks = Round.of(lifecycle, Duration.ofSeconds(1)).millis().size();
            syncs = lifecycle.commits(); // with synchronous = FULL each is one
        }
        if (wal != null) {
            wal.untilAlone();
            syncs = wal.syncs() - before;
        }
        return (double) tasks * Lifecycle.CHANGES / syncs;
    }
}
