package dev.fairlead.console.watch;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;

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

    private final Map<String, Figure> byName = new ConcurrentHashMap<>();
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
    void add(ObservedCall call) {
        String name = call.target().isEmpty() ? call.method() : call.method() + " " + call.target();
        Figure figure = byName.get(name);
        if (figure == null) {
            figure =
                    byName.computeIfAbsent(
                            byName.size() < MAX_NAMES ? name : OTHERS, key -> new Figure());
        }
        figure.calls.increment();
        figure.times.add(call.nanos());
        all.add(call.nanos());
        int place = place(System.currentTimeMillis() / 1_000);
        calls.incrementAndGet(place);
        if (call.hasFailed()) {
            figure.failures.increment();
            failures.incrementAndGet(place);
        }
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
        List<Map.Entry<String, Figure>> matching =
                byName.entrySet().stream()
                        .filter(entry -> query.matches(entry.getKey()))
                        .sorted(
                                Comparator.comparingLong(
                                                (Map.Entry<String, Figure> entry) ->
                                                        entry.getValue().calls.sum())
                                        .reversed()
                                        .thenComparing(Map.Entry::getKey))
                        .toList();
        List<Snapshot.Row> rows =
                matching.stream()
                        .limit(Snapshot.MAX_ROWS)
                        .map(entry -> row(entry.getKey(), entry.getValue()))
                        .toList();
        return new Snapshot(summary(), matching.size(), rows);
    }

    private static Snapshot.Row row(String name, Figure figure) {
        return new Snapshot.Row(
                Texts.shortened(name),
                JsonObject.of(
                        "calls",
                        figure.calls.sum(),
                        "failures",
                        figure.failures.sum(),
                        "p50",
                        figure.times.quantile(0.5),
                        "p99",
                        figure.times.quantile(0.99)));
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
