package dev.fairlead.benchmarks;

/**
 * What tasks cost that wait for a person: memory, and changes of the database while nothing
 * happens, which must not grow with their number.
 */
final class Waiting implements Question {
    private static final Target HEAP = Target.atMost(4);

    /** So much may differ between two counts of what sweeps and beats write. */
    private static final double NOISE = 3;

    @Override
    public String name() {
        return "waiting";
    }

    @Override
    public void answer(Bench bench) throws Exception {
        Table table =
                new Table(
                        "%,d tasks that wait for a person (writes only; reads are not counted)"
                                .formatted(WaitingNode.MANY),
                        "store",
                        "KiB of live heap each",
                        "target",
                        "",
                        "writes/s with %,d".formatted(WaitingNode.FEW),
                        "with %,d".formatted(WaitingNode.MANY),
                        "target",
                        "");
        for (StoreKind kind : bench.stores()) {
            measure(bench, kind, table);
        }
        bench.report().print(table);
    }

    private static void measure(Bench bench, StoreKind kind, Table table) throws Exception {
        String seconds = Integer.toString(bench.either(5, 15));
        try (Child node = Child.start("waiting", bench.place(kind), seconds)) {
            String[] counted = node.expect("waiting").split(" ");
            double few = Double.parseDouble(counted[0]);
            double many = Double.parseDouble(counted[1]);
            double heap = Double.parseDouble(counted[2]) / 1024;
            Target writes = Target.atMost(few + NOISE);
            table.row(
                    kind.toString(),
                    Table.number(heap),
                    HEAP.toString(),
                    bench.report().check("KiB of a waiting task, " + kind, heap, HEAP),
                    Table.number(few),
                    Table.number(many),
                    writes.toString(),
                    bench.report().check("writes of waiting tasks, " + kind, many, writes));
        }
    }
}
