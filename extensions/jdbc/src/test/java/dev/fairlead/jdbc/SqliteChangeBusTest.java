package dev.fairlead.jdbc;

import dev.fairlead.protocol.changes.ChangeBus;
import dev.fairlead.testing.ChangeBusContract;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

class SqliteChangeBusTest extends ChangeBusContract {
    @TempDir Path folder;

    private Database database;

    @Override
    protected ChangeBus newBus() {
        database = Database.sqlite(folder.resolve("changes.db"));
        return furtherNode();
    }

    @Override
    protected ChangeBus furtherNode() {
        return JdbcChanges.on(database);
    }

    @AfterEach
    void close() {
        database.close();
    }
}
