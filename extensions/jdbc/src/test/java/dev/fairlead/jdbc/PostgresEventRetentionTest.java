package dev.fairlead.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.jdbc.engine.Engine;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;

@Tag("proof")
class PostgresEventRetentionTest extends EventRetentionTest {
    private static final int STREAMS = 100_000;
    private static final List<String> TABLES =
            List.of("mcp_stream", "mcp_event", "mcp_session", "mcp_limit_check");

    /** Made on request only; before its first analysis the server guesses how they are cheapest. */
    private static final Set<String> CHECKS = Set.of(EventRetention.OLDEST, EventRetention.NEWEST);

    @Override
    Database open() throws SQLException {
        return TestPostgres.open(TestPostgres.database());
    }

    @Test
    @Override
    void nothingIsReadThatIsNotDue() throws Exception {
        try (Database database = open()) {
            Engine engine = database.engine();
            for (String table : TABLES) {
                String onlyHere = "alter table " + table + " set (autovacuum_enabled = false)";
                engine.write(s -> s.update(onlyHere)); // plans change when the server analyzes
            }
            fill(database, STREAMS, false, NOW - MINUTE);
            for (boolean analyzed : new boolean[] {false, true}) {
                if (analyzed) {
                    engine.write(s -> s.update("analyze"));
                }
                for (Map.Entry<String, Object[]> statement : statements().entrySet()) {
                    if (!analyzed && CHECKS.contains(statement.getKey())) {
                        continue;
                    }
                    List<String> plan =
                            engine.read(
                                    s ->
                                            s.list(
                                                    "explain (analyze, buffers) "
                                                            + statement.getKey(),
                                                    row -> row.text("QUERY PLAN"),
                                                    statement.getValue()));
                    assertThat(PostgresSweepCostTest.pages(plan))
                            .as("%s%n%s", statement.getKey(), String.join("\n", plan))
                            .isLessThan(50);
                }
            }
        }
    }
}
