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
                        "slowest",
                        "target",
                        "");
        for (StoreKind kind : bench.durableStores()) {
            List<Double> all = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                String place = bench.place(kind);
                all.add(kind == StoreKind.SQLITE ? restarted(place) : inherited(place));
            }
            double slowest = Figures.of(all).highest();
            Target target = Target.atMost(kind == StoreKind.SQLITE ? 1.5 : 6);
            table.row(
                    kind.toString(),
                    Table.number(slowest),
                    target.toString(),
                    bench.report().check("take-over on " + kind, slowest, target));
        }
        bench.report().print(table);
    }

    private static double restarted(String place) throws Exception {
        try (Child dying = Child.start("hold", place, Integer.toString(TASKS))) {
            dying.expect("holds");
            long killed = System.nanoTime();
            dying.close();
            try (Child heir = Child.start("heir", place, Integer.toString(TASKS))) {
                heir.expect("all");
                return secondsSince(killed);
            }
        }
    }

    private static double inherited(String place) throws Exception {
        try (Child dying = Child.start("hold", place, Integer.toString(TASKS));
                Heir heir = new Heir(place, TASKS)) {
            dying.expect("holds");
            long killed = System.nanoTime();
            dying.kill();
            heir.awaitAll();
            return secondsSince(killed);
        }
    }

    private static double secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }
}
