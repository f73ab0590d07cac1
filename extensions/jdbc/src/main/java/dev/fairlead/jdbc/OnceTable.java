package dev.fairlead.jdbc;

import static dev.fairlead.jdbc.TaskRows.HELD;

import dev.fairlead.jdbc.engine.Row;
import dev.fairlead.jdbc.engine.SqlSession;
import dev.fairlead.json.RawJson;
import dev.fairlead.tasks.NewTask;
import dev.fairlead.tasks.Recorded;
import dev.fairlead.tasks.TaskRun;

import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** The values that runs have recorded. */
final class OnceTable {
    /**
     * Inserts a value under the lock of the task. On PostgreSQL the lock waits for a take-over
     * under way, which would make the value late. It is not shared: two transactions that share it
     * and change the task later would wait for each other.
     */
    private static final String INSERT =
            "insert into mcp_once (task, key, run, value) select seq, ?, run, ? from mcp_task where"
                    + " "
                    + HELD
                    + " {for update} on conflict do nothing";

    private static final String SELECT =
            "select (select value from mcp_once where key = ? and task = mcp_task.seq) as value"
                    + " from mcp_task where "
                    + HELD;

    private final StoreAccess access;

    OnceTable(StoreAccess access) {
        this.access = access;
    }

    Optional<RawJson> record(TaskRun run, String key, RawJson value) {
        if (access.change(run.id(), INSERT, Texts.key(key), value.toJson(), access.inRun(run))) {
            return Optional.of(value);
        }
        return recorded(run, key) instanceof Recorded.Value stands
                ? Optional.of(stands.value())
                : Optional.empty();
    }

    /** Adds the values of a task that has just been stored. */
    static void add(SqlSession s, NewTask task) throws SQLException {
        for (Map.Entry<String, RawJson> value : task.values().entrySet()) {
            s.update(
                    "insert into mcp_once (task, key, run, value) select seq, ?, run, ? from"
                            + " mcp_task where id = ?",
                    Texts.key(value.getKey()),
                    value.getValue().toJson(),
                    Texts.encode(task.id().value()));
        }
    }

    Recorded recorded(TaskRun run, String key) {
        Optional<Recorded> recorded =
                access.first(SELECT, OnceTable::recorded, Texts.key(key), access.inRun(run));
        return recorded.orElseGet(Recorded.Lost::new);
    }

    private static Recorded recorded(Row row) throws SQLException {
        String value = row.textOrNull("value");
        return value == null ? new Recorded.Nothing() : new Recorded.Value(TaskRows.json(value));
    }
}
