package dev.fairlead.console.watch;

import dev.fairlead.console.pages.EventWriter;
import dev.fairlead.console.watch.Snapshot.Row;
import dev.fairlead.http.spi.ResponseStream;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The stream of one page. A thread of its own takes a snapshot, sends the parts that differ from
 * those sent before, waits until they are written, and then waits for the next moment; so a page
 * that reads slowly gets fewer snapshots, and nothing queues.
 */
final class WatchStream {
    private static final System.Logger LOGGER = System.getLogger(WatchStream.class.getName());
    private static final Duration INTERVAL = Duration.ofMillis(500);

    /** Snapshots in a row without a change after which the page gets the time. */
    private static final int QUIET = 10;

    private final Supplier<JsonObject> head;
    private final Supplier<Snapshot> snapshots;
    private final BooleanSupplier mayWatch;
    private final CountDownLatch closed = new CountDownLatch(1);

    private String sentHead = "";
    private String sentSummary = "";
    private List<String> sentOrder = List.of();
    private int sentTotal = -1;
    private Map<String, String> sentRows = new HashMap<>();
    private int quiet = QUIET;

    WatchStream(Supplier<JsonObject> head, Supplier<Snapshot> snapshots, BooleanSupplier mayWatch) {
        this.head = head;
        this.snapshots = snapshots;
        this.mayWatch = mayWatch;
    }

    /** Begins to send. */
    void start(ResponseStream response, Runnable onEnd) {
        Thread.ofVirtual()
                .name("mcp-console-stream")
                .start(
                        () -> {
                            try {
                                run(response);
                            } finally {
                                onEnd.run();
                            }
                        });
    }

    private void run(ResponseStream response) {
        try {
            do {
                String update = update();
                if (!update.isEmpty()) {
                    EventWriter.write(response, update);
                }
            } while (!closed.await(INTERVAL.toNanos(), TimeUnit.NANOSECONDS)
                    && mayWatch.getAsBoolean());
            response.end();
        } catch (ExecutionException e) { // the page has left
            response.abort();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            response.abort();
        } catch (RuntimeException e) {
            LOGGER.log(Level.ERROR, "A view of the console failed", e);
            response.abort();
        }
    }

    /** Returns the differences from the last update; empty if there are none to send. */
    private String update() {
        List<Object> changes = new ArrayList<>(); // names and values in turn
        Snapshot now = snapshots.get();
        JsonObject headNow = head.get();
        String headText = headNow.toJson();
        if (!headText.equals(sentHead)) {
            sentHead = headText;
            changes.addAll(List.of("head", headNow));
        }
        String summary = now.summary().toJson();
        if (!summary.equals(sentSummary)) {
            sentSummary = summary;
            changes.addAll(List.of("summary", now.summary()));
        }
        if (now.total() != sentTotal) {
            sentTotal = now.total();
            changes.addAll(List.of("total", now.total()));
        }
        rows(now.rows(), changes);
        if (changes.isEmpty() && ++quiet < QUIET) {
            return "";
        }
        quiet = 0;
        changes.addAll(List.of("now", System.currentTimeMillis()));
        return JsonObject.of(changes.toArray()).toJson();
    }

    private void rows(List<Row> rows, List<Object> changes) {
        List<String> order = rows.stream().map(Row::id).toList();
        if (!order.equals(sentOrder)) {
            sentOrder = order;
            changes.addAll(List.of("order", order));
        }
        Map<String, String> texts = new HashMap<>();
        Map<String, JsonValue> changed = new LinkedHashMap<>();
        for (Row row : rows) {
            String text = row.fields().toJson();
            texts.put(row.id(), text);
            if (!text.equals(sentRows.get(row.id()))) {
                changed.put(row.id(), row.fields());
            }
        }
        sentRows = texts;
        if (!changed.isEmpty()) {
            changes.addAll(List.of("rows", new JsonObject(changed)));
        }
    }

    /** Ends the stream; its page connects again if the server is still there. */
    void close() {
        closed.countDown();
    }
}
