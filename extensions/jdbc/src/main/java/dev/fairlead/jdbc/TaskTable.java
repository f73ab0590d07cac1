package dev.fairlead.jdbc;

import static dev.fairlead.jdbc.TaskRows.COLUMNS;
import static dev.fairlead.jdbc.TaskRows.HELD;
import static dev.fairlead.jdbc.TaskRows.IN_RUN;
import static dev.fairlead.jdbc.TaskRows.OPEN;
import static dev.fairlead.jdbc.TaskRows.SEEN;
import static dev.fairlead.jdbc.TaskRows.UNPARKED;
import static dev.fairlead.jdbc.TaskRows.UPDATED;

import dev.fairlead.jdbc.engine.Dialect;
import dev.fairlead.jdbc.engine.Row;
import dev.fairlead.jdbc.engine.RowReader;
import dev.fairlead.jdbc.engine.SqlSession;
import dev.fairlead.json.JsonString;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.options.Checks;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.NewTask;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskPage;
import dev.fairlead.tasks.TaskRun;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The table of tasks, for receivers and runs: each change is one compare-and-set. */
final class TaskTable {
    /** A node that was declared dead stores nothing. */
    private static final String INSERT =
            "insert into mcp_task (id, space, owner, access, state, run, node, created, updated,"
                    + " ttl, expires, rerunnable, owner_key, method, name_key, name, token, origin)"
                    + " select ?, ?, ?, ?, 'WORKING', 1, n.id, t.now, t.now, ?, t.now + ?, ?,"
                    + " ?, ?, ?, ?, cast(? as text), ? from mcp_node n, (select {now} as now) t"
                    + " where n.id = ? and n.died is null";

    /** Tasks of an owner that have not ended, no more than so many. Takes owner, time, most. */
    private static final String ACTIVE =
            "(select count(*) from (select 1 from mcp_task a where a.owner = ?"
                    + " and a.state in ('WORKING', 'INPUT_REQUIRED') and a.expires > %s"
                    + " limit ?) active)";

    private static final String UNCOUNTED = INSERT + " returning " + COLUMNS;

    private static final String COUNTED =
            INSERT + " and " + ACTIVE.formatted("t.now") + " < ? returning " + COLUMNS;

    /** Takes ids and space. */
    static final String VERSIONS =
            "select t.id, t.state || ' ' || t.run || ' ' || t.updated || ' ' ||"
                    + " coalesce(cast(t.progress as text), '-') || ' ' || coalesce((select"
                    + " string_agg(q.ordinal || ':' || coalesce(q.delivery, ''), ' ' order by"
                    + " q.ordinal) from mcp_question q where q.task = t.seq and q.answer_state is"
                    + " null), '-') as version from mcp_task t where t.id in {texts} and t.space"
                    + " = ?";

    private static final String COUNT = "select " + ACTIVE.formatted("{now}") + " as n";

    /**
     * The lock of an owner: while it is held, no other node of the cluster counts that owner's
     * tasks.
     */
    static final String LOCK = "select pg_advisory_xact_lock(hashtextextended(?, 0))";

    /** The expiry of a task is kept below the year 5000, however long it was asked for. */
    private static final long LONGEST = 100_000_000_000_000L;

    private final StoreAccess access;
    private final ActiveCounts counts = new ActiveCounts(System::nanoTime);

    TaskTable(StoreAccess access) {
        this.access = access;
    }

    /**
     * Creates a task; empty if the owner has its most tasks, or the node is dead. A large limit is
     * counted once a second while it is far away, so that nodes may exceed it by the tasks that
     * they create in a second.
     */
    Optional<StoredTask> create(NewTask task, long node, int maxActive) {
        String owner = access.owner(task.owner());
        List<@Nullable Object> values = values(task, node);
        if (counts.admits(owner, maxActive, () -> active(owner, maxActive))) {
            return insert(task, UNCOUNTED, values);
        }
        List<Object> counted = List.of(values, owner, maxActive, maxActive);
        return access.engine().dialect() == Dialect.SQLITE
                ? insert(task, COUNTED, counted)
                : insertLocked(task, owner, counted);
    }

    /** Takes the lock by a statement of its own: the next one sees all rows committed before. */
    private Optional<StoredTask> insertLocked(NewTask task, String owner, List<Object> values) {
        return access.transactLocked(
                owner,
                s -> {
                    s.first(LOCK, row -> true, owner);
                    return insert(s, task, COUNTED, values);
                });
    }

    private Optional<StoredTask> insert(
            NewTask task, String sql, List<? extends @Nullable Object> values) {
        return task.answers().isEmpty() && task.values().isEmpty()
                ? access.write(task.id(), s -> s.first(sql, TaskRows::stored, values))
                : access.transact(s -> insert(s, task, sql, values));
    }

    /** Inserts a task, and returns it with the values that it has already. */
    private static Optional<StoredTask> insert(
            SqlSession s, NewTask task, String sql, List<? extends @Nullable Object> values)
            throws SQLException {
        Optional<StoredTask> stored = s.first(sql, TaskRows::stored, values);
        if (stored.isPresent()) {
            QuestionTable.addAnswered(s, task);
            OnceTable.add(s, task);
        }
        return stored;
    }

    private long active(String owner, int most) {
        return access.first(COUNT, row -> row.number("n"), owner, access.now(), most).orElseThrow();
    }

    private List<@Nullable Object> values(NewTask task, long node) {
        long ttl = task.ttl().toMillis();
        return Arrays.asList(
                Texts.encode(task.id().value()),
                access.space(),
                access.owner(task.owner()),
                access.access(task.owner()),
                ttl,
                Math.min(ttl, LONGEST),
                task.rerunnable(),
                task.owner().key(),
                Texts.encode(task.method()),
                Texts.key(task.name()),
                Texts.encode(task.name()),
                TaskRows.token(task.progressToken()),
                task.origin().toJson(),
                access.now(),
                node);
    }

    Optional<StoredTask> find(Owner owner, TaskId id) {
        return access.first(
                "select " + SEEN + " from mcp_task where id = ? and access = ?",
                TaskRows::seen,
                access.now(),
                access.owned(owner, id));
    }

    Set<TaskId> existing(Owner owner, Collection<TaskId> ids) {
        return Set.copyOf(
                access.list(
                        "select id from mcp_task where id in {texts} and access = ?"
                                + " and state <> 'EXPIRED' and expires > {now}",
                        TaskTable::id,
                        texts(ids),
                        access.access(owner),
                        access.now()));
    }

    Map<TaskId, String> versions(Collection<TaskId> ids) {
        Map<TaskId, String> versions = new HashMap<>();
        access.list(
                VERSIONS,
                row -> versions.put(id(row), row.text("version")),
                texts(ids),
                access.space());
        return versions;
    }

    private static TaskId id(Row row) throws SQLException {
        return new TaskId(Texts.decode(row.text("id")));
    }

    private static String texts(Collection<TaskId> ids) {
        return ids.stream()
                .map(id -> new JsonString(Texts.encode(id.value())).toJson())
                .collect(Collectors.joining(",", "[", "]"));
    }

    TaskPage list(Owner owner, @Nullable String after, int limit) {
        Checks.positive(limit, "limit");
        long start = after == null ? 0 : PageStart.read(after);
        RowReader<Optional<StoredTask>> reader = access.rows().skipping(TaskRows::stored);
        List<Listed> found =
                access.list(
                        "select seq, "
                                + COLUMNS
                                + " from mcp_task where owner = ? and seq > ?"
                                + " and state <> 'EXPIRED' and expires > {now}"
                                + " order by seq limit ?",
                        row -> new Listed(row.number("seq"), reader.read(row).orElse(null)),
                        access.owner(owner),
                        start,
                        access.now(),
                        limit + 1L);
        boolean more = found.size() > limit;
        List<Listed> page = more ? found.subList(0, limit) : found;
        return new TaskPage(
                page.stream().map(Listed::task).filter(Objects::nonNull).toList(),
                more ? PageStart.write(page.getLast().position()) : null);
    }

    /** A task in a list; null if its row cannot be read. */
    private record Listed(long position, @Nullable StoredTask task) {}

    boolean cancel(Owner owner, TaskId id, @Nullable String message) {
        return access.change(
                id,
                "update mcp_task set state = 'CANCELLED',"
                        + " message = coalesce(cast(? as text), message), "
                        + UNPARKED
                        + ", "
                        + UPDATED
                        + " where "
                        + OPEN,
                Texts.encodeOrNull(message),
                access.now(),
                access.owned(owner, id),
                access.now());
    }

    /** A status message changes the time of the last change, progress does not. */
    boolean update(TaskRun run, @Nullable String message, @Nullable Double progress) {
        String text = Texts.encodeOrNull(message);
        return access.change(
                run.id(),
                "update mcp_task set updated = case when cast(? as text) is"
                        + " null then updated else {greatest}(updated, {now})"
                        + " end, message = coalesce(cast(? as text), message),"
                        + " progress = case when progress is null or cast(? as"
                        + " double precision) > progress then cast(? as double"
                        + " precision) else progress end where "
                        + HELD,
                text,
                access.now(),
                text,
                progress,
                progress,
                access.inRun(run));
    }

    boolean end(TaskRun run, TaskOutcome outcome, @Nullable String message) {
        return access.change(
                run.id(),
                "update mcp_task set state = ?, outcome = ?, node = null,"
                        + " message = coalesce(cast(? as text), message), "
                        + UNPARKED
                        + ", "
                        + UPDATED
                        + " where "
                        + IN_RUN,
                outcome.state().name(),
                TaskRows.text(outcome),
                Texts.encodeOrNull(message),
                access.now(),
                access.inRun(run));
    }
}
