package dev.fairlead.benchmarks;

import dev.fairlead.protocol.tasks.TaskId;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.SynchronousQueue;

/**
 * How long after its handler has returned the result of a task is with a caller that was blocked:
 * the end is stored, and read again, within that time.
 */
final class WakeUp implements Question {
    /** So long a caller waits already, so that it sleeps. */
    private static final Duration ASLEEP = Duration.ofMillis(5);

    @Override
    public String name() {
        return "wakeup";
    }

    @Override
    public void answer(Bench bench) throws Exception {
        int tasks = bench.either(100, 400);
        Table table =
                new Table(
                        "Wake-up of a caller that waits for a result, %d tasks; milliseconds"
                                .formatted(tasks),
                        "store",
                        "processes",
                        "median",
                        "target of median",
                        "");
        for (StoreKind kind : bench.stores()) {
            add(bench, table, kind, 1, inProcess(bench.place(kind), tasks), Target.atMost(2));
        }
        if (bench.stores().contains(StoreKind.POSTGRES)) {
            List<Double> millis = across(bench.place(StoreKind.POSTGRES), tasks);
            add(bench, table, StoreKind.POSTGRES, 2, millis, Target.atMost(20));
        }
        bench.report().print(table);
    }

    private static void add(
            Bench bench,
            Table table,
            StoreKind kind,
            int processes,
            List<Double> millis,
            Target target) {
        double median = Figures.of(millis).median();
        String what = "wake-up on %s, processes: %d,".formatted(kind, processes);
        table.row(
                kind.toString(),
                Integer.toString(processes),
                Table.number(median),
                target.toString(),
                bench.report().check(what, median, target));
    }

    private static List<Double> inProcess(String place, int tasks) throws Exception {
        SynchronousQueue<CompletableFuture<Long>> orders = new SynchronousQueue<>();
        List<Double> millis = new ArrayList<>();
        try (OpenEngine opened =
                new OpenEngine(
                        place,
                        context -> {
                            orders.take().complete(System.nanoTime());
                            return OpenEngine.RESULT;
                        })) {
            for (int i = 0; i < tasks; i++) {
                CompletableFuture<Long> woken = awaiting(opened, opened.start(Node.OWNER));
                CompletableFuture<Long> returned = new CompletableFuture<>();
                orders.put(returned);
                millis.add((woken.get() - returned.get()) / 1e6);
            }
        }
        return warm(millis);
    }

    private static List<Double> across(String place, int tasks) throws Exception {
        List<Double> millis = new ArrayList<>();
        try (Child waker = Child.start("waker", place);
                OpenEngine opened = new OpenEngine(place, context -> OpenEngine.RESULT)) {
            waker.expect("ready");
            for (int i = 0; i < tasks; i++) {
                waker.send("start");
                CompletableFuture<Long> woken =
                        awaiting(opened, new TaskId(waker.expect("started")));
                waker.send("end");
                long returned = Long.parseLong(waker.expect("ends")); // one clock on one machine
                millis.add((woken.get() - returned) / 1e6);
            }
        }
        return warm(millis);
    }

    /** A caller that is asleep by now; gives the time at which it has the result. */
    private static CompletableFuture<Long> awaiting(OpenEngine opened, TaskId id) {
        CompletableFuture<Long> woken = new CompletableFuture<>();
        Thread.startVirtualThread(
                () -> {
                    try {
                        opened.await(Node.OWNER, id);
                        woken.complete(System.nanoTime());
                    } catch (InterruptedException | RuntimeException e) {
                        woken.completeExceptionally(e);
                    }
                });
        opened.untilWaiting(1);
        Pauses.pause(ASLEEP);
        return woken;
    }

    /** Without the first fifth. */
    private static List<Double> warm(List<Double> millis) {
        return millis.subList(millis.size() / 5, millis.size());
    }
}
