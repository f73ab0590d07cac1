package dev.fairlead.jdbc;

import dev.fairlead.tasks.TaskStore;
import dev.fairlead.testing.ClusteredTaskStoreContract;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

@Tag("proof")
class PostgresTaskStoreTest extends ClusteredTaskStoreContract {
    private final List<Database> nodes = new ArrayList<>();
    private String url;

    @Override
    protected TaskStore newStore() throws SQLException {
        url = TestPostgres.databaseWithTables();
        return furtherNode();
    }

    @Override
    protected TaskStore furtherNode() {
        Database node = TestPostgres.open(url);
        nodes.add(node);
        return JdbcTasks.on(node).parts().store();
    }

    @AfterEach
    void close() {
        nodes.forEach(Database::close);
    }
}
