package dev.fairlead.jdbc;

import org.junit.jupiter.api.Tag;

import java.sql.SQLException;

@Tag("proof")
class PostgresEndedSharesTest extends EndedSharesTest {
    @Override
    Database open(DatabaseOptions options) throws SQLException {
        return Database.postgres(TestPostgres.database(), options);
    }
}
