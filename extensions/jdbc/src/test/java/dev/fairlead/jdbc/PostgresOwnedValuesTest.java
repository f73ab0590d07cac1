package dev.fairlead.jdbc;

import org.junit.jupiter.api.Tag;

import java.sql.SQLException;

/** Each of two nodes has a pool of its own. */
@Tag("proof")
class PostgresOwnedValuesTest extends SqliteOwnedValuesTest {
    private String url;
    private Database first;
    private Database second;

    @Override
    Database open() throws SQLException {
        if (first == null) {
            url = TestPostgres.databaseWithTables();
            first = kept(TestPostgres.open(url));
            return first;
        }
        if (second == null) {
            second = kept(TestPostgres.open(url));
        }
        return second;
    }
}
