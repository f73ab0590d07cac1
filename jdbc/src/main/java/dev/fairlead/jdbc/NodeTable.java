package dev.fairlead.jdbc;

import static dev.fairlead.jdbc.TaskRows.COLUMNS;
import static dev.fairlead.jdbc.TaskRows.NOT_ENDED;

import dev.fairlead.jdbc.engine.Row;
import dev.fairlead.jdbc.engine.Session;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.TaskId;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskRun;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * The statements by which nodes live, die and take tasks over. Each incarnation of a node, that is
 * each start, has a row; once it is marked as dead it stays so, and whatever it held is up for the
 * others. Each statement is a transaction of its own: a node that is frozen between two of them
 * holds no lock.
 */
final class NodeTable {
    static final String WHY =
            "The task was interrupted: the process that ran it ended, and the task may not run"
                    + " again";

    private static final String INTERRUPTED =
            TaskRows.text(new TaskOutcome.Error(new JsonRpcError(ErrorCode.INTERNAL_ERROR, WHY)));

    private static final String DEAD = "select id from mcp_node where died is not null";

    private static final String ALIVE = "(select 1 from mcp_node where id = ? and died is null)";

    /** Tasks of dead nodes of a space. Takes the space and the time. */
    private static final String ORPHANS =
            " from mcp_node n join mcp_task t on t.node = n.id where n.died is not null"
                    + " and n.space = ? and t.state in ('WORKING', 'INPUT_REQUIRED')"
                    + " and t.expires > {now}";

    private static final String TAKE_OVER =
            takeOver("select t.seq" + ORPHANS + " limit ? {for update of t skip locked}");

    private static final String TAKE_BACK =
            takeOver(
                    "select t.seq from mcp_task t where t.node = ? and t.id = ? and t.access = ?"
                            + " and t.run = ? and t.state in ('WORKING', 'INPUT_REQUIRED')"
                            + " and t.expires > {now} {for update of t skip locked}");

    private final StoreAccess access;

    NodeTable(StoreAccess access) {
        this.access = access;
    }

    /** A run that is taken over is counted up, so that nothing its last holder stores counts. */
    private static String takeOver(String which) {
        return "with c as materialized ("
                + which
                + ") update mcp_task set run = run + 1,"
                + " node = case when rerunnable then cast(? as bigint) end,"
                + " state = case when rerunnable then state else 'ERROR' end,"
                + " outcome = case when rerunnable then outcome else cast(? as text) end,"
                + " message = case when rerunnable then message else cast(? as text) end,"
                + " updated = case when rerunnable then updated"
                + " else {greatest}(updated, {now}) end"
                + " where seq in (select seq from c) and exists "
                + ALIVE
                + " returning "
                + COLUMNS
                + ", origin";
    }

    /** A new incarnation. */
    long join(Session s, String name) throws SQLException {
        return s.first(
                        "insert into mcp_node (space, name, beat) values (?, ?, {now}) returning"
                                + " id",
                        row -> row.number("id"),
                        access.space(),
                        Texts.encode(name),
                        access.databaseNow())
                .orElseThrow();
    }

    /** Says that the incarnation lives; false if it was declared dead. */
    boolean beat(Session s, long node) throws SQLException {
        return s.update(
                        "update mcp_node set beat = {now} where id = ? and died is null",
                        access.databaseNow(),
                        node)
                > 0;
    }

    /** Declares dead who has not given a sign of life for so long. */
    void bury(Session s, Duration lease) throws SQLException {
        s.update(
                "update mcp_node set died = {now} where died is null and beat < {now} - ?",
                access.databaseNow(),
                access.databaseNow(),
                lease.toMillis());
    }

    /** Declares an incarnation dead, since it ends. */
    int leave(Session s, long node) throws SQLException {
        return s.update(
                "update mcp_node set died = {now} where id = ? and died is null",
                access.databaseNow(),
                node);
    }

    boolean isAlive(Session s, long node) throws SQLException {
        return s.first("select 1 as alive where exists " + ALIVE, row -> true, node).isPresent();
    }

    /** How many tasks wait to be taken over; counts no further than {@code most}. */
    long orphans(Session s, int most) throws SQLException {
        return s.first(
                        "select count(*) as n from (select 1" + ORPHANS + " limit ?) orphans",
                        row -> row.number("n"),
                        access.space(),
                        access.now(),
                        most)
                .orElseThrow();
    }

    /** How many nodes share a space. */
    long living(Session s) throws SQLException {
        return s.first(
                        "select count(*) as n from mcp_node where died is null and space = ?",
                        row -> row.number("n"),
                        access.space())
                .orElseThrow();
    }

    /**
     * Takes over tasks of dead nodes: what may run again is held by this node in a new run, the
     * rest has ended with an error.
     */
    List<TakenTask> takeOver(Session s, long node, int most) throws SQLException {
        return s.list(
                TAKE_OVER,
                TaskRows::taken,
                access.space(),
                access.now(),
                most,
                node,
                INTERRUPTED,
                WHY,
                access.now(),
                node);
    }

    /** Takes over a run of this node whose handler nobody knows. */
    List<TakenTask> takeBack(Session s, long node, TaskRun run) throws SQLException {
        return s.list(
                TAKE_BACK,
                TaskRows::taken,
                node,
                Texts.encode(run.id().value()),
                access.access(run.owner()),
                run.number(),
                access.now(),
                node,
                INTERRUPTED,
                WHY,
                access.now(),
                node);
    }

    /** Whether a dead node was delivering a question. */
    boolean hasDeadDeliveries(Session s) throws SQLException {
        return s.first(
                        "select 1 as found from mcp_question where delivery_node in ("
                                + DEAD
                                + ") limit 1",
                        row -> true)
                .isPresent();
    }

    /** Frees the questions that dead nodes were delivering; gives their tasks. */
    List<TaskId> freeDeliveries(Session s) throws SQLException {
        return s.list(
                "update mcp_question set delivery = null, on_result_stream = null,"
                        + " delivery_node = null where delivery_node in ("
                        + DEAD
                        + ") returning (select t.id from mcp_task t where t.seq = task) as id",
                row -> new TaskId(Texts.decode(row.text("id"))));
    }

    /** Runs that this node still holds although their tasks have ended. */
    List<TaskRun> ended(Session s, long node) throws SQLException {
        return s.list(
                "select owner_key, id, run from mcp_task where node = ? and not ("
                        + NOT_ENDED
                        + " and expires > {now})",
                NodeTable::run,
                node,
                access.now());
    }

    /** Clears what tells that this node holds an ended run. */
    int clear(Session s, long node, TaskRun run) throws SQLException {
        return s.update(
                "update mcp_task set node = null where id = ? and access = ? and run = ?"
                        + " and node = ? and not ("
                        + NOT_ENDED
                        + " and expires > {now})",
                Texts.encode(run.id().value()),
                access.access(run.owner()),
                run.number(),
                node,
                access.now());
    }

    /** Runs that this node holds. */
    List<TaskRun> held(Session s, long node) throws SQLException {
        return s.list(
                "select owner_key, id, run from mcp_task where node = ? and "
                        + NOT_ENDED
                        + " and expires > {now}",
                NodeTable::run,
                node,
                access.now());
    }

    private static TaskRun run(Row row) throws SQLException {
        return new TaskRun(
                Owner.parse(row.text("owner_key")),
                new TaskId(Texts.decode(row.text("id"))),
                row.number("run"));
    }

    /** Forgets nodes that died longer ago and that no task names. */
    int forget(Session s, Duration deadFor) throws SQLException {
        s.update(
                "update mcp_task set node = null where node in ("
                        + DEAD
                        + ") and not ("
                        + NOT_ENDED
                        + " and expires > {now})",
                access.now());
        return s.update(
                "delete from mcp_node where died < {now} - ? and not exists"
                        + " (select 1 from mcp_task where node = mcp_node.id)",
                access.databaseNow(),
                deadFor.toMillis());
    }
}
