package dev.fairlead.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.jdbc.engine.Engine;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Periodic work costs only as much as is due, also with many tasks. */
@Tag("proof")
class PostgresSweepCostTest {
    private static final int TASKS = 100_000;

    private static final long NOW = SweepCostTest.NOW;
    private static final long HOUR = SweepCostTest.HOUR;

    private static final Pattern PAGES = Pattern.compile("(?:shared hit|read)=(\\d+)");

    /**
     * A third has ended, a third is parked, a third has expired within the hour; in two spaces. The
     * nodes have died.
     */
    private static void fill(Engine engine, String numbers) throws SQLException {
        engine.transact(
                s -> {
                    s.update(
                            "insert into mcp_node (space, name, steady, beat, died) values"
                                    + " ('tasks', 'one', 0, 0, 1), ('other', 'two', 0, 0, 1)");
                    int tasks =
                            s.update(
                                    "insert into mcp_task (id, space, owner, access, state, run,"
                                        + " node, created, updated, ttl, expires, rerunnable,"
                                        + " poll_at, poll_every, owner_key, method, name_key, name,"
                                        + " origin) select 'task-' || i, case when i % 2 = 0 then"
                                        + " 'tasks' else 'other' end, 'owner-' || i % 100, 'a',"
                                        + " case i % 3 when 0 then 'RESULT' when 1 then 'WORKING'"
                                        + " else 'EXPIRED' end, 1, null, ?, ?, ?, case when i % 3 ="
                                        + " 2 then ? - i else ? + i end, true, case when i % 3 = 1"
                                        + " then ? + i end, 1000, 'local', 'tools/call', 'k', 'n',"
                                        + " '{}' from "
                                            + numbers,
                                    NOW - HOUR,
                                    NOW - HOUR,
                                    HOUR,
                                    NOW,
                                    NOW + HOUR,
                                    NOW + HOUR);
                    s.update(
                            "insert into mcp_question (task, ordinal, digest, method, params)"
                                    + " select seq, 1, 'd', 'm', '{}' from mcp_task");
                    return tasks;
                });
    }

    @Test
    void nothingDueIsReadInAFewPages() throws Exception {
        try (Database database = TestPostgres.open(TestPostgres.database())) {
            Engine engine = database.engine();
            for (String table : List.of("mcp_node", "mcp_task", "mcp_question")) {
                String onlyHere = "alter table " + table + " set (autovacuum_enabled = false)";
                engine.write(s -> s.update(onlyHere)); // plans change when the server analyzes
            }
            fill(engine, "generate_series(1, " + TASKS + ") i");
            for (boolean analyzed : new boolean[] {false, true}) {
                if (analyzed) {
                    engine.write(s -> s.update("analyze"));
                }
                for (Map.Entry<String, Object[]> statement :
                        SweepCostTest.statements().entrySet()) {
                    List<String> plan =
                            engine.read(
                                    s ->
                                            s.list(
                                                    "explain (analyze, buffers) "
                                                            + statement.getKey(),
                                                    row -> row.text("QUERY PLAN"),
                                                    statement.getValue()));
                    assertThat(pages(plan))
                            .as("%s%n%s", statement.getKey(), String.join("\n", plan))
                            .isLessThan(50);
                }
            }
        }
    }

    /** The first line of buffers is that of the whole statement. */
    static int pages(List<String> plan) {
        String buffers = plan.stream().filter(l -> l.contains("Buffers:")).findFirst().orElse("");
        Matcher matcher = PAGES.matcher(buffers);
        int pages = 0;
        while (matcher.find()) {
            pages += Integer.parseInt(matcher.group(1));
        }
        return pages;
    }
}
