package dev.fairlead.jdbc;

import org.junit.jupiter.api.Tag;

import java.sql.SQLException;

@Tag("proof")
class PostgresCarrierTest extends CarrierTest {
    private final String url = TestPostgres.database();

    @Override
    Database open() throws SQLException {
        return TestPostgres.open(url);
    }
}
