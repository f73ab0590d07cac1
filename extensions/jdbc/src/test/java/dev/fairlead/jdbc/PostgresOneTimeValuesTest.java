package dev.fairlead.jdbc;

import org.junit.jupiter.api.Tag;

import java.sql.SQLException;

/** Each node has a pool of its own. */
@Tag("proof")
class PostgresOneTimeValuesTest extends OneTimeValuesTest {
    private String url;

    @Override
    Database open() throws SQLException {
        if (url == null) {
            url = TestPostgres.databaseWithTables();
        }
        return kept(TestPostgres.open(url));
    }
}
