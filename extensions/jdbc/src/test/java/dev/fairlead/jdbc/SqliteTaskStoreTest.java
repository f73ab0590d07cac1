package dev.fairlead.jdbc;

import dev.fairlead.tasks.TaskStore;
import dev.fairlead.testing.DurableTaskStoreContract;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

class SqliteTaskStoreTest extends DurableTaskStoreContract {
    @TempDir Path folder;
    private Database database;

    @Override
    protected TaskStore newStore() {
        database = Database.sqlite(folder.resolve("tasks.db"), OpenNodes.QUICK);
        return JdbcTasks.on(database).parts().store();
    }

    @Override
    protected TaskStore restarted() {
        database.close();
        return newStore();
    }

    @AfterEach
    void close() {
        database.close();
    }
}
