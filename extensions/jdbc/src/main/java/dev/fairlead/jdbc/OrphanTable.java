package dev.fairlead.jdbc;

import static dev.fairlead.jdbc.NodeTable.ALIVE;
import static dev.fairlead.jdbc.TaskRows.COLUMNS;
import static dev.fairlead.jdbc.TaskRows.UNFINISHED;

import dev.fairlead.jdbc.engine.Row;
import dev.fairlead.jdbc.engine.RowReader;
import dev.fairlead.jdbc.engine.SqlSession;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskRun;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The statements that take over or end the tasks of dead nodes. */
final class OrphanTable {
    static final String WHY =
            "The task was interrupted: the process that ran it ended, and the task may not run"
                    + " again";

    static final String UNREADABLE =
            "The task was interrupted: the process that ran it ended, and its row in the store"
                    + " cannot be read";

    private static final String DEAD = "select id from mcp_node where died is not null";

    /** A run that can be counted up; another one would fail a statement for all of its tasks. */
    private static final String COUNTABLE = " and t.run < " + Long.MAX_VALUE / 2;

    /**
     * Tasks of dead nodes of a space that may run again, or may not. Takes space and time. SQLite
     * keeps the order of a cross join: otherwise it would read the tasks of all nodes.
     */
    private static final String ORPHANS =
            " from mcp_node n cross join mcp_task t where t.node = n.id and n.died is not null and"
                + " n.space = ? and t.state in ('WORKING', 'INPUT_REQUIRED') and t.expires > {now}"
                    + COUNTABLE
                    + " and t.rerunnable = ";

    private static final String ANY = " limit ? {for update of t skip locked}";

    /** A run that a node holds. Takes node, id, access, run and time. */
    private static final String OWN =
            " from mcp_task t where t.node = ? and t.id = ? and t.access = ? and t.run = ?"
                    + " and t.state in ('WORKING', 'INPUT_REQUIRED') and t.expires > {now}"
                    + COUNTABLE
                    + " and t.rerunnable = ";

    private static final String COUNT =
            "select count(*) as n from (select 1" + ORPHANS + "true limit ?) orphans";

    private static final String HAS_LOST = "select 1 as found" + ORPHANS + "false limit 1";

    private static final String TAKE_OVER = take(ORPHANS + "true" + ANY);

    private static final String TAKE_BACK = take(OWN + "true {for update of t skip locked}");

    private static final String END = end(ORPHANS + "false" + ANY);

    private static final String END_OWN = end(OWN + "false {for update of t skip locked}");

    /** Takes node, numbers and time. */
    private static final String END_UNREADABLE =
            end(
                    " from mcp_task t where t.node = ? and t.seq in {numbers}"
                            + " and t.state in ('WORKING', 'INPUT_REQUIRED') and t.expires > {now}"
                            + " {for update of t skip locked}");

    /** Runs that a node still holds although their tasks have ended. Takes node and time. */
    private static final String OVER =
            "select owner_key, id, run from mcp_task where node = ? and not (" + UNFINISHED + ")";

    /** Whether a dead node was delivering a question. */
    private static final String DELIVERING =
            "select 1 as found from mcp_node n cross join mcp_question q"
                    + " where n.died is not null and q.delivery_node = n.id limit 1";

    static final String LOOK =
            "select exists ("
                    + HAS_LOST
                    + ") as lost, ("
                    + COUNT
                    + ") as orphans, exists ("
                    + DELIVERING
                    + ") as deliveries, exists ("
                    + OVER
                    + ") as ended";

    /**
     * The work of a beat.
     *
     * @param lost whether there are tasks of dead nodes that wait to be ended
     * @param orphans how many tasks of dead nodes wait to be run again
     * @param deliveries whether a dead node was delivering a question
     * @param ended whether this node still holds runs whose tasks have ended
     */
    record Work(boolean lost, long orphans, boolean deliveries, boolean ended) {}

    /**
     * Tasks that this node has taken over.
     *
     * @param unreadable the numbers of those that it cannot run, since their rows cannot be read
     */
    record Taken(List<TakenTask> tasks, List<Long> unreadable) {}

    private final StoreAccess access;
    private final UnreadableRows rows;

    OrphanTable(StoreAccess access) {
        this.access = access;
        this.rows = access.rows();
    }

    /** A run that is taken over is counted up, so that nothing its last holder stores counts. */
    private static String take(String which) {
        return change(which, "node = ?")
                + " and exists "
                + ALIVE
                + " returning "
                + COLUMNS
                + ", origin, seq";
    }

    private static String end(String which) {
        return change(
                        which,
                        "node = null, state = 'ERROR', outcome = ?, message = ?, "
                                + TaskRows.UPDATED)
                + " returning "
                + COLUMNS;
    }

    private static String change(String which, String change) {
        return "with c as materialized (select t.seq"
                + which
                + ") update mcp_task set run = run + 1, "
                + change
                + " where seq in (select seq from c)";
    }

    /**
     * Returns the work of a node, by one query.
     *
     * @param most the limit of the count of orphans
     */
    Work look(SqlSession s, long node, int most) throws SQLException {
        return s.first(
                        LOOK,
                        row ->
                                new Work(
                                        row.flag("lost"),
                                        row.number("orphans"),
                                        row.flag("deliveries"),
                                        row.flag("ended")),
                        access.space(),
                        access.now(),
                        access.space(),
                        access.now(),
                        most,
                        node,
                        access.now())
                .orElseThrow();
    }

    /** Takes over tasks of dead nodes that may run again: this node holds them in a new run. */
    Taken takeOver(SqlSession s, long node, int most) throws SQLException {
        return taken(s, TAKE_OVER, access.space(), access.now(), most, node, node);
    }

    private Taken taken(SqlSession s, String sql, Object... values) throws SQLException {
        RowReader<Optional<TakenTask>> reader = rows.skipping(TaskRows::taken);
        List<TakenTask> tasks = new ArrayList<>();
        List<Long> unreadable = new ArrayList<>();
        s.list(
                sql,
                row -> {
                    Optional<TakenTask> task = reader.read(row);
                    return task.isPresent()
                            ? tasks.add(task.get())
                            : unreadable.add(row.number("seq"));
                },
                values);
        return new Taken(tasks, unreadable);
    }

    /** Ends tasks of dead nodes that may not run again, with an error. */
    List<StoredTask> endLost(SqlSession s, int most) throws SQLException {
        return fail(s, END, WHY, access.space(), access.now(), most);
    }

    /**
     * Ends tasks that this node has taken over and cannot read, with an error, so that those who
     * wait for them are answered and no other node takes them over.
     */
    List<StoredTask> endUnreadable(SqlSession s, long node, List<Long> tasks) throws SQLException {
        String numbers =
                tasks.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]"));
        return fail(s, END_UNREADABLE, UNREADABLE, node, numbers, access.now());
    }

    private List<StoredTask> fail(SqlSession s, String sql, String why, Object... which)
            throws SQLException {
        TaskOutcome error = new TaskOutcome.Error(new JsonRpcError(ErrorCode.INTERNAL_ERROR, why));
        return rows.list(
                s, sql, TaskRows::stored, List.of(which), TaskRows.text(error), why, access.now());
    }

    /** Restarts a run of this node, if it still holds it and the task may run again. */
    Taken takeBack(SqlSession s, long node, TaskRun run) throws SQLException {
        return taken(s, TAKE_BACK, node, access.inRun(run), node, node);
    }

    /** Ends a run of this node, if it still holds it and the task may not run again. */
    List<StoredTask> endOwn(SqlSession s, long node, TaskRun run) throws SQLException {
        return fail(s, END_OWN, WHY, node, access.inRun(run));
    }

    /** Frees the questions that dead nodes were delivering; gives their tasks. */
    List<TaskId> freeDeliveries(SqlSession s) throws SQLException {
        return rows.list(
                s,
                "with c as materialized (select task, ordinal from mcp_question"
                        + " where delivery_node in ("
                        + DEAD
                        + ") {skip locked}) update mcp_question set delivery = null,"
                        + " on_result_stream = null, delivery_node = null"
                        + " where (task, ordinal) in (select task, ordinal from c)"
                        + " returning (select t.id from mcp_task t where t.seq = task) as id",
                row -> new TaskId(Texts.decode(row.text("id"))));
    }

    /** Runs that this node still holds although their tasks have ended. */
    List<TaskRun> ended(SqlSession s, long node) throws SQLException {
        return rows.list(s, OVER, OrphanTable::run, node, access.now());
    }

    /** Clears the mark that this node holds an ended run. */
    int clear(SqlSession s, long node, TaskRun run) throws SQLException {
        return s.update(
                "update mcp_task set node = null where node = ? and id = ? and access = ?"
                        + " and run = ? and not ("
                        + UNFINISHED
                        + ")",
                node,
                access.inRun(run));
    }

    /** Runs that this node holds. */
    List<TaskRun> held(SqlSession s, long node) throws SQLException {
        return rows.list(
                s,
                "select owner_key, id, run from mcp_task where node = ? and " + UNFINISHED,
                OrphanTable::run,
                node,
                access.now());
    }

    private static TaskRun run(Row row) throws SQLException {
        return new TaskRun(
                Owner.parse(row.text("owner_key")),
                new TaskId(Texts.decode(row.text("id"))),
                row.number("run"));
    }

    /** Forgets nodes that died longer ago, and which runs that have ended since they held. */
    void forget(SqlSession s, Duration deadFor) throws SQLException {
        List<Long> dead =
                s.list(
                        "select id from mcp_node where died < {now} - ?",
                        row -> row.number("id"),
                        access.databaseNow(),
                        deadFor.toMillis());
        for (long node : dead) {
            s.update(
                    "with c as materialized (select seq from mcp_task t where node = ? and not ("
                            + UNFINISHED
                            + ") {for update of t skip locked})"
                            + " update mcp_task set node = null where seq in (select seq from c)",
                    node,
                    access.now());
            s.update(
                    "delete from mcp_node where id = ?"
                            + " and not exists (select 1 from mcp_task where node = mcp_node.id)",
                    node);
        }
    }
}
