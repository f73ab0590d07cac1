package dev.fairlead.jdbc;

import dev.fairlead.protocol.EventLimits;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.testing.DurableEventStoreContract;

import org.junit.jupiter.api.AfterEach;

import java.sql.SQLException;

class PostgresEventStoreTest extends DurableEventStoreContract {
    private String url;
    private Database database;

    @Override
    protected EventStore newStore(EventLimits limits) throws SQLException {
        url = TestPostgres.database();
        database = TestPostgres.open(url);
        return JdbcEvents.on(database, limits);
    }

    @Override
    protected EventStore restarted() {
        database.close();
        database = TestPostgres.open(url);
        return JdbcEvents.on(database);
    }

    @AfterEach
    void close() {
        database.close();
    }
}
