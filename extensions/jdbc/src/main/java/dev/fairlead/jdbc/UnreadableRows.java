package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.RowReader;
import dev.fairlead.jdbc.engine.SqlSession;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads rows of {@code mcp_task} of which some may be unreadable: another version, a failed
 * migration or another program wrote them. Such a row costs its own task and no other, which gives
 * a writer of rows nothing: it could delete the row as well. Each is logged once at WARNING by its
 * id, within the {@linkplain LimitedLog limit of log lines}, and then at DEBUG. Only a hash of the
 * id is kept. Thread-safe.
 */
final class UnreadableRows {
    /** The greatest number of known rows; then all are new once more. */
    private static final int MAX_KNOWN = 1_000;

    private static final Logger LOG = System.getLogger(UnreadableRows.class.getName());

    private final String space;
    private final Set<Integer> known = new HashSet<>(); // hashes of ids, guarded by itself

    UnreadableRows(String space) {
        this.space = space;
    }

    /** Returns a reader that gives nothing for an unreadable row. The rows have a column id. */
    <T> RowReader<Optional<T>> skipping(RowReader<T> reader) {
        return row -> {
            try {
                return Optional.of(reader.read(row));
            } catch (RuntimeException e) { // whose message may have a value of the row
                String column = row.column();
                report(row.textOrNull("id"), column);
                return Optional.empty();
            }
        };
    }

    /** Returns the readable rows of a query, see {@link SqlSession#list}. */
    <T> List<T> list(SqlSession s, String sql, RowReader<T> reader, @Nullable Object... values)
            throws SQLException {
        return readable(s.list(sql, skipping(reader), values));
    }

    static <T> List<T> readable(List<Optional<T>> rows) {
        return rows.stream().flatMap(Optional::stream).toList();
    }

    private void report(@Nullable String id, String column) {
        LimitedLog.log(
                LOG,
                isNew(String.valueOf(id).hashCode()) ? Level.WARNING : Level.DEBUG,
                space,
                "The row of task {0} in table mcp_task cannot be read (column {1}); it is skipped,"
                        + " and deleted once it has expired",
                Printable.excerpt(id),
                column);
    }

    private boolean isNew(int row) {
        synchronized (known) {
            if (known.size() == MAX_KNOWN) {
                known.clear();
            }
            return known.add(row);
        }
    }
}
