package dev.fairlead.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Periodic work on SQLite costs only as much as is due, also with many tasks. */
class SweepCostTest {
    static final long NOW = 1_800_000_000_000L;

    static final long HOUR = 3_600_000;

    private static final String SPACE = "tasks";

    @TempDir Path folder;

    /** Statements with their values. */
    static Map<String, Object[]> statements() {
        Map<String, Object[]> statements = new LinkedHashMap<>();
        statements.put(ExpiryTable.END, new Object[] {SPACE, NOW, 0, 500});
        statements.put(ExpiryTable.FADE, new Object[] {SPACE, NOW, 0, 500});
        statements.put(ExpiryTable.PURGE, new Object[] {SPACE, NOW, HOUR, 500});
        statements.put(JobTable.DUE, new Object[] {SPACE, NOW, NOW, 500, NOW});
        statements.put(OrphanTable.LOOK, new Object[] {SPACE, NOW, SPACE, NOW, 1_000, 3, NOW});
        statements.put(TaskTable.VERSIONS, new Object[] {"[\"task-7\",\"task-9\"]", SPACE});
        return statements;
    }

    @Test
    void onSqliteWhatIsDueIsFoundByAnIndex() throws Exception {
        try (Database database = Database.sqlite(folder.resolve("tasks.db"))) {
            for (Map.Entry<String, Object[]> statement : statements().entrySet()) {
                List<String> plan =
                        database.engine()
                                .read(
                                        s ->
                                                s.list(
                                                        "explain query plan " + statement.getKey(),
                                                        row -> row.text("detail"),
                                                        statement.getValue()));
                assertThat(plan)
                        .as(statement.getKey())
                        .noneMatch(line -> line.matches("SCAN (t|mcp_task)\\b.*"));
            }
        }
    }
}
