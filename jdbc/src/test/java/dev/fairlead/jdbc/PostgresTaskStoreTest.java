package dev.fairlead.jdbc;

import dev.fairlead.tasks.TaskStore;
import dev.fairlead.testing.TaskStoreContract;

import org.junit.jupiter.api.AfterEach;

import java.sql.SQLException;

class PostgresTaskStoreTest extends TaskStoreContract {
    private Database database;

    @Override
    protected TaskStore newStore() throws SQLException {
        database = Database.postgres(TestPostgres.database());
        return JdbcTasks.on(database).parts().store();
    }

    @AfterEach
    void close() {
        database.close();
    }
}
