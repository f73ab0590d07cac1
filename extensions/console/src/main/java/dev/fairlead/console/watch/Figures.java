package dev.fairlead.console.watch;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.ServerOperator.CallState;
import dev.fairlead.protocol.ServerOperator.CallStatus;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Figures of requests: how many in each second of the last five minutes, and for each method and
 * tool since the console began. Bounded; thread-safe.
 */
final class Figures implements View {
    private static final int SECONDS = 300;
    private static final int MAX_NAMES = 500;
    private static final String OTHERS = "all others";

    /** The figures by method and target, which is empty for all others of a method. */
    private final Map<String, Map<String, Figure>> byMethod = new ConcurrentHashMap<>();

    private volatile int names; // changed under this lock
    private final Figure others = new Figure();
    private final Histogram all = new Histogram();

    /** The second that each place counts, its calls and its failures. */
    private final AtomicLongArray seconds = new AtomicLongArray(SECONDS);

    private final AtomicLongArray calls = new AtomicLongArray(SECONDS);
    private final AtomicLongArray failures = new AtomicLongArray(SECONDS);

    /** The figures of one method or tool. */
    private static final class Figure {
        private final LongAdder calls = new LongAdder();
        private final LongAdder failures = new LongAdder();
        private final Histogram times = new Histogram();
    }

    /** Counts a call that has ended. */
    void add(CallStatus call) {
        Figure figure = of(call);
        long nanos = call.lasted().toNanos();
        figure.calls.increment();
        figure.times.add(nanos);
        all.add(nanos);
        int place = place(System.currentTimeMillis() / 1_000);
        calls.incrementAndGet(place);
        if (call.state() == CallState.FAILED) {
            figure.failures.increment();
            failures.incrementAndGet(place);
        }
    }

    private Figure of(CallStatus call) {
        Map<String, Figure> ofMethod = byMethod.get(call.method());
        Figure known = ofMethod == null ? null : ofMethod.get(call.target());
        if (known != null) {
            return known;
        }
        return names == MAX_NAMES ? others : added(call);
    }

    private synchronized Figure added(CallStatus call) {
        Map<String, Figure> ofMethod =
                byMethod.computeIfAbsent(call.method(), method -> new ConcurrentHashMap<>());
        Figure known = ofMethod.get(call.target());
        if (known != null || names == MAX_NAMES) { // another thread was first
            return known == null ? others : known;
        }
        names++;
        Figure added = new Figure();
        ofMethod.put(call.target(), added);
        return added;
    }

    /** Returns the place of a second, emptied where it still counted an earlier one. */
    private int place(long second) {
        int place = (int) (second % SECONDS);
        long counted = seconds.get(place);
        if (counted != second && seconds.compareAndSet(place, counted, second)) {
            calls.set(place, 0);
            failures.set(place, 0);
        }
        return place;
    }

    @Override
    public Snapshot snapshot(Query query) {
        List<Named> matching =
                named().stream()
                        .filter(one -> query.matches(one.name()))
                        .sorted(
                                Comparator.comparingLong(Named::calls)
                                        .reversed()
                                        .thenComparing(Named::name))
                        .toList();
        List<Snapshot.Row> rows =
                matching.stream().limit(Snapshot.MAX_ROWS).map(Named::row).toList();
        return new Snapshot(summary(), matching.size(), rows);
    }

    private List<Named> named() {
        List<Named> all = new ArrayList<>();
        byMethod.forEach(
                (method, figures) ->
                        figures.forEach(
                                (target, figure) ->
                                        all.add(
                                                Named.of(
                                                        target.isEmpty()
                                                                ? method
                                                                : method + " " + target,
                                                        figure))));
        if (others.calls.sum() > 0) {
            all.add(Named.of(OTHERS, others));
        }
        return all;
    }

    /**
     * @param calls at one moment, by which they are sorted
     */
    private record Named(String name, long calls, Figure figure) {
        static Named of(String name, Figure figure) {
            return new Named(name, figure.calls.sum(), figure);
        }

        Snapshot.Row row() {
            return new Snapshot.Row(
                    Texts.shortened(name),
                    JsonObject.of(
                            "calls",
                            calls,
                            "failures",
                            figure.failures.sum(),
                            "p50",
                            figure.times.quantile(0.5),
                            "p99",
                            figure.times.quantile(0.99)));
        }
    }

    /** Returns the last minutes second by second, the oldest first, up to the last whole second. */
    private JsonObject summary() {
        long now = System.currentTimeMillis() / 1_000;
        List<Object> rate = new ArrayList<>();
        List<Object> failed = new ArrayList<>();
        for (long second = now - SECONDS + 1; second < now; second++) {
            int place = (int) (second % SECONDS);
            boolean counted = seconds.get(place) == second;
            rate.add(counted ? calls.get(place) : 0);
            failed.add(counted ? failures.get(place) : 0);
        }
        return JsonObject.of(
                "rate",
                JsonArray.of(rate.toArray()),
                "failed",
                JsonArray.of(failed.toArray()),
                "p50",
                all.quantile(0.5),
                "p99",
                all.quantile(0.99));
    }
}
