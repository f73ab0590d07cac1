package dev.fairlead.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("proof")
class PostgresUnreadableRowsTest extends UnreadableRowsTest {
    @Override
    String url() {
        return TestPostgres.databaseWithTables();
    }
}
