package dev.fairlead.jdbc;

import dev.fairlead.protocol.OwnedValues;
import dev.fairlead.testing.OwnedValuesContract;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

class SqliteOwnedValuesTest extends OwnedValuesContract {
    @TempDir Path folder;

    private final List<Database> databases = new ArrayList<>();
    private final AtomicLong now = new AtomicLong(1_000_000_000_000L);

    /** The database of a node; the same for all nodes of a test. */
    Database open() throws SQLException {
        if (databases.isEmpty()) {
            databases.add(Database.sqlite(folder.resolve("values.db")));
        }
        return databases.getFirst();
    }

    final Database kept(Database database) {
        databases.add(database);
        return database;
    }

    @AfterEach
    final void close() {
        databases.forEach(Database::close);
    }

    @Override
    protected OwnedValues.Source newStore() throws Exception {
        return node(open());
    }

    @Override
    protected OwnedValues.Source furtherNode() throws Exception {
        return node(open());
    }

    /** A node whose clock is that of the test. */
    private OwnedValues.Source node(Database database) {
        return (name, share, kept) ->
                new OwnedValueTable(database.engine(), "space", name, share, kept) {
                    @Override
                    Long millis() {
                        return now.get();
                    }
                };
    }

    @Override
    protected void pass(Duration time) {
        now.addAndGet(time.toMillis());
    }
}
