package dev.fairlead.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.OwnedValues;
import dev.fairlead.testing.OwnedValuesContract;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
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
    private final AtomicLong nanos = new AtomicLong();
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
                new OwnedValueTable(database.engine(), "space", name, share, kept, nanos::get) {
                    @Override
                    Long millis() {
                        return now.get();
                    }
                };
    }

    @Test
    void anOwnerThatIsRefusedOftenIsRefusedWithoutTheDatabase() throws Exception {
        OwnedValues values =
                newStore().open("values", new OwnedValues.Share(1, 9), Duration.ofHours(1));
        values.put("mallory", 1, "0", new byte[1]);
        for (int i = 1; i <= OwnedValueTable.REFUSALS; i++) {
            assertThat(values.put("mallory", 1, "key" + i, new byte[1])).isFalse();
        }
        values.take("0");

        assertThat(values.put("mallory", 1, "a", new byte[1])).as("was not asked").isFalse();
        assertThat(values.put("ann", 1, "b", new byte[1])).isTrue();
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(values.put("mallory", 1, "c", new byte[1])).isTrue();
    }

    @Override
    protected void pass(Duration time) {
        now.addAndGet(time.toMillis());
    }
}
