package dev.fairlead.jdbc;

import dev.fairlead.protocol.EventLimits;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.testing.SharedEventStoreContract;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

@Tag("proof")
class PostgresEventStoreTest extends SharedEventStoreContract {
    private String url;
    private Database database;
    private final List<Database> others = new ArrayList<>();

    @Override
    protected EventStore newStore(EventLimits limits) throws SQLException {
        url = TestPostgres.databaseWithTables();
        database = TestPostgres.open(url);
        return JdbcEvents.store(database, "events", limits); // nothing else sweeps meanwhile
    }

    @Override
    protected EventStore restarted() {
        database.close();
        database = TestPostgres.open(url);
        return JdbcEvents.on(database);
    }

    @Override
    protected EventStore another() {
        Database other =
                Database.postgres(
                        url,
                        TestPostgres.LASTING.withLiveness(
                                Duration.ofHours(1), Duration.ofHours(5)));
        others.add(other);
        return JdbcEvents.on(other);
    }

    @AfterEach
    void close() {
        others.forEach(Database::close);
        database.close();
    }
}
