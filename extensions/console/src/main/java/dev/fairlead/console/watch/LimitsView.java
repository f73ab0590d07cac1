package dev.fairlead.console.watch;

import dev.fairlead.http.console.HttpOperator;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.ServerOperator;
import dev.fairlead.protocol.limits.HeapPlan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The limits in force, and the plan of the heap that some of them follow. */
final class LimitsView implements View {
    private final HttpOperator endpoint;

    LimitsView(HttpOperator endpoint) {
        this.endpoint = endpoint;
    }

    @Override
    public Snapshot snapshot(Query query) {
        List<Snapshot.Row> rows = new ArrayList<>();
        Map<String, String> changed = endpoint.description().changedLimits();
        endpoint.limits()
                .forEach(
                        (name, value) ->
                                add(
                                        query,
                                        rows,
                                        "HttpOptions." + name,
                                        value,
                                        changed.containsKey(name)));
        endpoint.server()
                .map(ServerOperator::limits)
                .ifPresent(
                        limits ->
                                limits.forEach(
                                        (name, value) ->
                                                add(
                                                        query,
                                                        rows,
                                                        "McpServer.Builder." + name,
                                                        value,
                                                        false)));
        return new Snapshot(heap(), rows.size(), rows);
    }

    private static void add(
            Query query, List<Snapshot.Row> rows, String name, String value, boolean changed) {
        if (query.matches(name)) {
            rows.add(new Snapshot.Row(name, JsonObject.of("value", value, "changed", changed)));
        }
    }

    private static JsonObject heap() {
        Runtime runtime = Runtime.getRuntime();
        List<Object> shares = new ArrayList<>();
        for (HeapPlan share : HeapPlan.values()) {
            shares.add(
                    JsonObject.of(
                            "contents", share.contents(),
                            "bytes", share.bytes(),
                            "part", share.part()));
        }
        long step = 1 << 20; // so that the page does not change all the time
        return JsonObject.of(
                "max",
                HeapPlan.heap(),
                "used",
                (runtime.totalMemory() - runtime.freeMemory()) / step * step,
                "shares",
                shares);
    }
}
