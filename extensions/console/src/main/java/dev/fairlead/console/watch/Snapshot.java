package dev.fairlead.console.watch;

import dev.fairlead.json.JsonObject;

import java.util.List;

/**
 * A view at one moment.
 *
 * @param summary the facts beside the rows
 * @param total how many rows match, shown or not
 * @param rows the first of them, in the order of the view
 */
record Snapshot(JsonObject summary, int total, List<Row> rows) {
    /** The most rows of a view; the filter finds the others. */
    static final int MAX_ROWS = 200;

    /**
     * A row.
     *
     * @param id the same as long as it is the same thing
     */
    record Row(String id, JsonObject fields) {}

    /** Returns a view without rows. */
    static Snapshot of(JsonObject summary) {
        return new Snapshot(summary, 0, List.of());
    }
}
