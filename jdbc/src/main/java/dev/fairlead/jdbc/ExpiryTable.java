package dev.fairlead.jdbc;

import static dev.fairlead.jdbc.TaskRows.COLUMNS;
import static dev.fairlead.jdbc.TaskRows.NOT_ENDED;

import dev.fairlead.tasks.StoredTask;

import java.time.Duration;
import java.util.List;

/** What becomes of tasks whose time is over; in steps, since there may be very many. */
final class ExpiryTable {
    private static final String DUE =
            "with c as materialized (select t.seq from mcp_task t where t.state <> 'EXPIRED'"
                    + " and t.expires <= {now} and t.space = ? and %s order by t.expires limit ?"
                    + " {for update of t skip locked}) update mcp_task set state = 'EXPIRED',"
                    + " outcome = null, "
                    + TaskRows.UNPARKED
                    + " where seq in (select seq from c)";

    private static final String END = DUE.formatted(NOT_ENDED) + " returning " + COLUMNS;

    private static final String FADE = DUE.formatted("not (" + NOT_ENDED + ")");

    /** Questions and recorded values go with their task. */
    private static final String PURGE =
            "delete from mcp_task where seq in (select t.seq from mcp_task t"
                    + " where t.state = 'EXPIRED' and t.expires <= {now} - ? and t.space = ?"
                    + " order by t.expires limit ? {for update of t skip locked})";

    private final StoreAccess access;

    ExpiryTable(StoreAccess access) {
        this.access = access;
    }

    /** Ends tasks that expired before they had ended, at most so many. */
    List<StoredTask> end(int most) {
        return access.write(s -> s.list(END, TaskRows::stored, access.now(), access.space(), most));
    }

    /** Drops what tasks gave that expired after their end; how many there were. */
    int fade(int most) {
        return access.write(s -> s.update(FADE, access.now(), access.space(), most));
    }

    /** Removes tasks that expired so long ago; how many there were. */
    int purge(Duration ago, int most) {
        return access.write(
                s -> s.update(PURGE, access.now(), ago.toMillis(), access.space(), most));
    }
}
