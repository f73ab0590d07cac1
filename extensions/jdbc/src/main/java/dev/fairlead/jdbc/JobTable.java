package dev.fairlead.jdbc;

import static dev.fairlead.jdbc.TaskRows.COLUMNS;
import static dev.fairlead.jdbc.TaskRows.HELD;
import static dev.fairlead.jdbc.TaskRows.IN_RUN;
import static dev.fairlead.jdbc.TaskRows.UNFINISHED;
import static dev.fairlead.jdbc.TaskRows.UNPARKED;

import dev.fairlead.jdbc.engine.SqlSession;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskRun;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Tasks that are parked on outside jobs. */
final class JobTable {
    /** A longer interval, in milliseconds, is for ever; its sum with a time may fit no column. */
    private static final long LONGEST = 100_000_000_000_000L;

    /** Takes space, time twice, most and time. */
    static final String DUE =
            "with c as materialized (select seq from mcp_task t where poll_at is not null"
                    + " and space = ? and poll_at <= {now} and expires > {now}"
                    + " order by poll_at limit ? {for update of t skip locked})"
                    + " update mcp_task set poll_at = case when poll_every <= "
                    + LONGEST
                    + " then {now} + {greatest}(poll_every, 1) end"
                    + " where seq in (select seq from c) returning "
                    + COLUMNS
                    + ", origin";

    private final StoreAccess access;
    private final UnreadableRows rows;

    JobTable(StoreAccess access) {
        this.access = access;
        this.rows = access.rows();
    }

    private String key(String job) {
        return Texts.digest(access.space() + '|' + job);
    }

    /** One whose time is over although no sweep has come leaves its job first. */
    boolean park(TaskRun run, String job, @Nullable Duration pollEvery) {
        return access.transact(
                s -> {
                    free(s, run, job);
                    return park(s, run, job, pollEvery);
                });
    }

    private boolean park(SqlSession s, TaskRun run, String job, @Nullable Duration pollEvery)
            throws SQLException {
        Long every = pollEvery == null ? null : pollEvery.toMillis();
        return s.update(
                        "update mcp_task set node = null, job_key = ?, job = ?,"
                                + " poll_every = cast(? as bigint),"
                                + " poll_at = {now} + cast(? as bigint) where "
                                + HELD,
                        key(job),
                        Texts.encode(job),
                        every,
                        access.now(),
                        every,
                        access.inRun(run))
                > 0;
    }

    private void free(SqlSession s, TaskRun run, String job) throws SQLException {
        s.update(
                "update mcp_task set "
                        + UNPARKED
                        + " where job_key = ? and expires <= {now}"
                        + " and name_key = (select t.name_key from mcp_task t where t.id = ?)",
                key(job),
                access.now(),
                Texts.encode(run.id().value()));
    }

    Optional<TakenTask> parked(String name, String job) {
        return access.first(
                "select "
                        + COLUMNS
                        + ", origin from mcp_task where name_key = ? and job_key ="
                        + " ? and "
                        + UNFINISHED,
                TaskRows::taken,
                Texts.key(name),
                key(job),
                access.now());
    }

    Optional<TakenTask> resume(TaskRun run, long node) {
        return access.write(
                run.id(),
                s ->
                        s.first(
                                "update mcp_task set run = run + 1, node = ?, "
                                        + UNPARKED
                                        + " where "
                                        + IN_RUN
                                        + " and job_key is not null and exists "
                                        + NodeTable.ALIVE
                                        + " returning "
                                        + COLUMNS
                                        + ", origin",
                                TaskRows::taken,
                                node,
                                access.inRun(run),
                                node));
    }

    /** Jobs that are due to be looked after; the next time of each is set, also if unreadable. */
    List<TakenTask> due(int most) {
        return access.write(
                s ->
                        rows.list(
                                s,
                                DUE,
                                TaskRows::taken,
                                access.space(),
                                access.now(),
                                access.now(),
                                most,
                                access.now()));
    }
}
