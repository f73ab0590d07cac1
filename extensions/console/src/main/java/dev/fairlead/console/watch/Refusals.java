package dev.fairlead.console.watch;

import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.json.JsonObject;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Refused requests by their reason, the latest first. As many as there are reasons. */
final class Refusals implements View {
    private final Map<String, Refused> byReason = new ConcurrentHashMap<>();

    private static final class Refused {
        private final LongAdder count = new LongAdder();
        private volatile int status;
        private volatile long last;
    }

    void add(String reason, int status) {
        Refused refused = byReason.computeIfAbsent(reason, key -> new Refused());
        refused.count.increment();
        refused.status = status;
        refused.last = System.currentTimeMillis();
    }

    @Override
    public Snapshot snapshot(Query query) {
        List<Map.Entry<String, Refused>> all = new ArrayList<>();
        for (Map.Entry<String, Refused> entry : byReason.entrySet()) {
            if (query.matches(entry.getKey())) {
                all.add(entry);
            }
        }
        all.sort(
                Comparator.comparingLong(
                                (Map.Entry<String, Refused> entry) -> entry.getValue().last)
                        .reversed());
        return new Snapshot(
                JsonObject.EMPTY,
                all.size(),
                all.stream().map(entry -> row(entry.getKey(), entry.getValue())).toList());
    }

    private static Snapshot.Row row(String reason, Refused refused) {
        return new Snapshot.Row(
                reason,
                JsonObject.of(
                        "count",
                        refused.count.sum(),
                        "status",
                        refused.status,
                        "last",
                        refused.last,
                        "remedy",
                        remedy(reason)));
    }

    private static String remedy(String reason) {
        for (RefusalReason known : RefusalReason.values()) {
            if (known.name().toLowerCase(Locale.ROOT).equals(reason)) {
                return known.remedy().orElse("");
            }
        }
        return "";
    }
}
