package dev.fairlead.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.EventLimits;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.testing.SharedEventStoreContract;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

class SqliteEventStoreTest extends SharedEventStoreContract {
    @TempDir Path folder;
    private Database database;

    @Override
    protected EventStore newStore(EventLimits limits) {
        database = Database.sqlite(folder.resolve("events.db"));
        return JdbcEvents.on(database, limits);
    }

    @Override
    protected EventStore restarted() {
        database.close();
        database = Database.sqlite(folder.resolve("events.db"));
        return JdbcEvents.on(database);
    }

    @Override
    protected EventStore another() {
        return JdbcEvents.on(database);
    }

    @Test
    void theServerSweepsAFileThatItHasAlone() {
        assertThat(newStore(EventLimits.DEFAULT).sweepsByItself()).isFalse();
    }

    @AfterEach
    void close() {
        database.close();
    }
}
