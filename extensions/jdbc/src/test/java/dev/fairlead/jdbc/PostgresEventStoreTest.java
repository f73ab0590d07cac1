package dev.fairlead.jdbc;

import dev.fairlead.protocol.EventLimits;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.testing.SharedEventStoreContract;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

@Tag("proof")
class PostgresEventStoreTest extends SharedEventStoreContract {
    private String url;
    private Database database;
    private final Map<EventStore, Database> others = new HashMap<>();

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
        EventStore store = JdbcEvents.on(other);
        others.put(store, other);
        return store;
    }

    /**
     * The change of the other servers for a server whose heartbeats have stopped, which it cannot
     * notice here.
     */
    @Override
    protected void freeze(EventStore store) throws SQLException {
        String id = others.get(store).lease().id();
        database.engine().write(s -> s.update("delete from mcp_server where id = ?", id));
    }

    @AfterEach
    void close() {
        others.values().forEach(Database::close);
        database.close();
    }
}
