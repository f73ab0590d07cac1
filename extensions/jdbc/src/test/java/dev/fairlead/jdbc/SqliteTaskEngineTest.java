package dev.fairlead.jdbc;

import dev.fairlead.tasks.TaskSignals;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.testing.DurableTaskEngineContract;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

class SqliteTaskEngineTest extends DurableTaskEngineContract {
    @TempDir Path folder;
    private Database database;
    private Tasks.Parts parts;

    @Override
    protected TaskStore newStore() {
        database = Database.sqlite(folder.resolve("tasks.db"), OpenNodes.QUICK);
        parts = JdbcTasks.parts(database, "tasks", OpenNodes.SWEEP);
        return parts.store();
    }

    @Override
    protected TaskSignals newSignals() {
        return parts.signals();
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
