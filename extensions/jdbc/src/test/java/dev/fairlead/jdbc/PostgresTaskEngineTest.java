package dev.fairlead.jdbc;

import dev.fairlead.tasks.TaskSignals;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.testing.DurableTaskEngineContract;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

@Tag("proof")
class PostgresTaskEngineTest extends DurableTaskEngineContract {
    private final List<Database> nodes = new ArrayList<>();
    private String url;
    private Tasks.Parts parts;

    @Override
    protected TaskStore newStore() throws SQLException {
        url = TestPostgres.databaseWithTables();
        return restarted();
    }

    @Override
    protected TaskSignals newSignals() {
        return parts.signals();
    }

    @Override
    protected TaskStore restarted() {
        Database node = TestPostgres.open(url);
        nodes.add(node);
        parts = JdbcTasks.parts(node, "tasks", OpenNodes.SWEEP);
        return parts.store();
    }

    @AfterEach
    void close() {
        nodes.forEach(Database::close);
    }
}
