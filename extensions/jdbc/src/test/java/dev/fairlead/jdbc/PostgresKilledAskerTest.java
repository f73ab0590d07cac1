package dev.fairlead.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("proof")
class PostgresKilledAskerTest extends KilledAskerTest {
    @Override
    String database() {
        return TestPostgres.database();
    }
}
