package dev.fairlead.benchmarks;

import java.util.ArrayList;
import java.util.List;

/**
 * How long after a {@code kill -9} the handlers of all its tasks run again: on SQLite in a new
 * process, whose start counts, on PostgreSQL in another node, at the default beat.
 */
final class TakeOver implements Question {
    private static final int TASKS = 500;

    @Override
    public String name() {
        return "takeover";
    }

    @Override
    public void answer(Bench bench) throws Exception {
        int rounds = bench.either(2, 5);
        Table table =
                new Table(
                        "Take-over of %d running tasks after kill -9, %d rounds; seconds to the last"
                                .formatted(TASKS, rounds),
                        "store",
                        "lowest",
                        "median",
                        "highest",
                        "first task, median",
                        "target of highest",
                        "");
        for (StoreKind kind : bench.durableStores()) {
            List<Double> first = new ArrayList<>();
            List<Double> all = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                String place = bench.place(kind);
                double[] seconds = kind == StoreKind.SQLITE ? restarted(place) : inherited(place);
                first.add(seconds[0]);
                all.add(seconds[1]);
            }
            Figures figures = Figures.of(all);
            Target target = Target.atMost(kind == StoreKind.SQLITE ? 1.5 : 6);
            table.row(
                    kind.toString(),
                    Table.number(figures.lowest()),
                    Table.number(figures.median()),
                    Table.number(figures.highest()),
                    Table.number(Figures.of(first).median()),
                    target.toString(),
                    bench.report().check("take-over on " + kind, figures.highest(), target));
        }
        bench.report().print(table);
    }

    private static double[] restarted(String place) throws Exception {
        try (Child dying = Child.start("hold", place, Integer.toString(TASKS))) {
            dying.told("holds");
            long killed = System.nanoTime();
            dying.close();
            try (Child heir = Child.start("heir", place, Integer.toString(TASKS))) {
                heir.told("first");
                double first = secondsSince(killed);
                heir.told("all");
                return new double[] {first, secondsSince(killed)};
            }
        }
    }

    private static double[] inherited(String place) throws Exception {
        try (Child dying = Child.start("hold", place, Integer.toString(TASKS));
                Heir heir = new Heir(place, TASKS)) {
            dying.told("holds");
            long killed = System.nanoTime();
            dying.kill();
            heir.awaitFirst();
            double first = secondsSince(killed);
            heir.awaitAll();
            return new double[] {first, secondsSince(killed)};
        }
    }

    private static double secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }
}
