package dev.fairlead.jdbc;

import static dev.fairlead.jdbc.TaskRows.COLUMNS;
import static dev.fairlead.jdbc.TaskRows.ENDED;
import static dev.fairlead.jdbc.TaskRows.NOT_ENDED;

import dev.fairlead.jdbc.engine.RowReader;
import dev.fairlead.jdbc.engine.SqlSession;
import dev.fairlead.tasks.StoredTask;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Expires and purges tasks whose time is over: in steps, since there may be very many, each in a
 * transaction of its own, so that changes for which a caller waits are not delayed by more than a
 * step.
 */
final class ExpiryTable {
    /** Tasks that expired so long ago. Takes space, time, milliseconds and most. */
    private static final String DUE =
            "with c as materialized (select seq from mcp_task t where %s and space = ?"
                    + " and expires <= {now} - ? order by expires limit ?"
                    + " {for update of t skip locked})";

    private static final String EXPIRE =
            DUE
                    + " update mcp_task set state = 'EXPIRED', outcome = null, "
                    + TaskRows.UNPARKED
                    + " where seq in (select seq from c)";

    static final String END = EXPIRE.formatted(NOT_ENDED) + " returning " + COLUMNS;

    static final String FADE = EXPIRE.formatted(ENDED);

    /** Questions and recorded values go with their task. */
    static final String PURGE =
            DUE.formatted("state = 'EXPIRED'")
                    + " delete from mcp_task where seq in (select seq from c)";

    private final StoreAccess access;

    ExpiryTable(StoreAccess access) {
        this.access = access;
    }

    /**
     * Ends tasks that expired before they had ended, at most so many; empty for unreadable ones.
     */
    List<Optional<StoredTask>> end(int most) {
        RowReader<Optional<StoredTask>> reader = access.rows().skipping(TaskRows::stored);
        return step(List.of(), (s, now) -> s.list(END, reader, access.space(), now, 0, most));
    }

    /** Drops the results of tasks that expired after their end; returns how many. */
    int fade(int most) {
        return step(0, (s, now) -> s.update(FADE, access.space(), now, 0, most));
    }

    /** Removes tasks that expired so long ago; how many there were. */
    int purge(Duration ago, int most) {
        return step(0, (s, now) -> s.update(PURGE, access.space(), now, ago.toMillis(), most));
    }

    /** A step at a time, null for that of the database. */
    @FunctionalInterface
    private interface Step<T> {
        T at(SqlSession s, @Nullable Long now) throws SQLException;
    }

    /** Does nothing when the clock went back meanwhile: a younger task would seem to be old. */
    private <T> T step(T nothing, Step<T> step) {
        try {
            return access.transact(
                    s -> {
                        Long now = access.millis();
                        T done = step.at(s, now);
                        if (now != null && now > Objects.requireNonNull(access.millis())) {
                            throw new ClockWentBackException();
                        }
                        return done;
                    });
        } catch (ClockWentBackException e) {
            return nothing;
        }
    }

    /** Undoes a step. */
    private static final class ClockWentBackException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }
}
