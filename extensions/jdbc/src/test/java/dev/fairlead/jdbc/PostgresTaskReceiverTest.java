package dev.fairlead.jdbc;

import dev.fairlead.tasks.Tasks;
import dev.fairlead.testing.DurableTaskReceiverContract;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

@Tag("proof")
class PostgresTaskReceiverTest extends DurableTaskReceiverContract {
    private final List<Database> nodes = new ArrayList<>();
    private String url;

    @Override
    protected Tasks newTasks() throws SQLException {
        url = TestPostgres.databaseWithTables();
        return restarted();
    }

    @Override
    protected Tasks restarted() {
        Database node = TestPostgres.open(url);
        nodes.add(node);
        return Tasks.on(() -> JdbcTasks.parts(node, "tasks", OpenNodes.SWEEP));
    }

    @AfterEach
    void close() {
        nodes.forEach(Database::close);
    }
}
