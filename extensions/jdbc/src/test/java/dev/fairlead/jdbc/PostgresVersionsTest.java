package dev.fairlead.jdbc;

import org.junit.jupiter.api.Tag;

import java.sql.SQLException;

@Tag("proof")
class PostgresVersionsTest extends VersionsTest {
    @Override
    Database open() throws SQLException {
        return TestPostgres.open(TestPostgres.database());
    }
}
