package dev.fairlead.jdbc;

import dev.fairlead.tasks.Tasks;
import dev.fairlead.testing.DurableTaskReceiverContract;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

class SqliteTaskReceiverTest extends DurableTaskReceiverContract {
    @TempDir Path folder;
    private Database database;

    @Override
    protected Tasks newTasks() {
        database = Database.sqlite(folder.resolve("tasks.db"), OpenNodes.QUICK);
        return Tasks.on(() -> JdbcTasks.parts(database, "tasks", OpenNodes.SWEEP));
    }

    @Override
    protected Tasks restarted() {
        database.close();
        return newTasks();
    }

    @AfterEach
    void close() {
        database.close();
    }
}
