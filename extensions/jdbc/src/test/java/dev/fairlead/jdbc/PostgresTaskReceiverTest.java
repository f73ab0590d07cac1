package dev.fairlead.jdbc;

import dev.fairlead.tasks.Tasks;
import dev.fairlead.testing.DurableTaskReceiverContract;

import org.junit.jupiter.api.AfterEach;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

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
        return JdbcTasks.on(node);
    }

    @AfterEach
    void close() {
        nodes.forEach(Database::close);
    }
}
