package dev.fairlead.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Whether looking up a task, and the first page of a list, take longer the more are stored. */
final class Scale implements Question {
    private static final int FEW = 1_000;
    private static final Target TARGET = Target.atMost(1.5);

    @Override
    public String name() {
        return "scale";
    }

    @Override
    public void answer(Bench bench) throws Exception {
        int many = bench.either(100_000, 1_000_000);
        int rounds = bench.either(5, 15);
        Table table =
                new Table(
                        "Look-ups with many stored tasks, medians of %d rounds; p50 in milliseconds"
                                .formatted(rounds),
                        "store",
                        "operation",
                        "%,d stored".formatted(FEW),
                        "%,d stored".formatted(many),
                        "ratio",
                        "target",
                        "");
        for (StoreKind kind : bench.durableStores()) {
            String small = bench.place(kind);
            String large = bench.place(kind);
            Filling.fill(small, kind, FEW);
            Filling.fill(large, kind, many);
            try (Filled few = new Filled(small, FEW);
                    Filled lots = new Filled(large, many)) {
                compare(bench, table, kind + "", "get", rounds, few::find, lots::find);
                compare(bench, table, kind + "", "list", rounds, few::list, lots::list);
            }
        }
        bench.report().print(table);
    }

    /** A store with tasks. */
    private static final class Filled implements AutoCloseable {
        private final OpenEngine opened;
        private final int tasks;
        private final RandomGenerator random = new SplittableRandom(1);

        private Filled(String url, int tasks) {
            this.opened = new OpenEngine(url, context -> OpenEngine.RESULT);
            this.tasks = tasks;
        }

        void find() {
            int task = random.nextInt(tasks);
            opened.engine().find(Filling.owner(task), Filling.id(task), null);
        }

        void list() {
            opened.engine().list(Filling.owner(random.nextInt(tasks)), null);
        }

        @Override
        public void close() {
            opened.close();
        }
    }

    private static void compare(
            Bench bench,
            Table table,
            String store,
            String operation,
            int rounds,
            Runnable few,
            Runnable many) {
        int times = bench.either(200, 400);
        median(few, times);
        median(many, times);
        List<Double> low = new ArrayList<>();
        List<Double> high = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            low.add(median(few, times));
            high.add(median(many, times));
            ratios.add(high.getLast() / low.getLast());
        }
        double ratio = Figures.of(ratios).median();
        table.row(
                store,
                operation,
                Table.number(Figures.of(low).median()),
                Table.number(Figures.of(high).median()),
                Table.number(ratio),
                TARGET.toString(),
                bench.report().check(operation + " on " + store, ratio, TARGET));
    }

    private static double median(Runnable operation, int times) {
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            long before = System.nanoTime();
            operation.run();
            millis.add((System.nanoTime() - before) / 1e6);
        }
        return Figures.of(millis).median();
    }
}
