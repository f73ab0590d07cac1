package dev.fairlead.jdbc;

import static dev.fairlead.jdbc.TaskRows.HELD;

import dev.fairlead.json.RawJson;
import dev.fairlead.tasks.TaskRun;

import java.util.Optional;

/** The values that runs have recorded. */
final class OnceTable {
    /** On PostgreSQL the lock waits for a take-over under way, which would make the value late. */
    private static final String INSERT =
            "insert into mcp_once (task, key, run, value) select seq, ?, run, ? from mcp_task where"
                    + " "
                    + HELD
                    + " {for share} on conflict do nothing";

    private static final String SELECT =
            "select value from mcp_once where key = ? and task ="
                    + " (select seq from mcp_task where "
                    + HELD
                    + ")";

    private final StoreAccess access;

    OnceTable(StoreAccess access) {
        this.access = access;
    }

    Optional<RawJson> record(TaskRun run, String key, RawJson value) {
        int recorded =
                access.write(
                        s ->
                                s.update(
                                        INSERT,
                                        Texts.key(key),
                                        value.toJson(),
                                        Texts.encode(run.id().value()),
                                        access.access(run.owner()),
                                        run.number(),
                                        access.now()));
        return recorded > 0 ? Optional.of(value) : recorded(run, key);
    }

    Optional<RawJson> recorded(TaskRun run, String key) {
        return access.read(
                s ->
                        s.first(
                                SELECT,
                                row -> TaskRows.json(row.text("value")),
                                Texts.key(key),
                                Texts.encode(run.id().value()),
                                access.access(run.owner()),
                                run.number(),
                                access.now()));
    }
}
