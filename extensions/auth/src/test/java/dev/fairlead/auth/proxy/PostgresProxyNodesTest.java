package dev.fairlead.auth.proxy;

import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.DatabaseOptions;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

import java.io.IOException;
import java.time.Duration;

/** Each node has connections of its own. */
@Tag("proof")
class PostgresProxyNodesTest extends ProxyNodesTest {
    private static EmbeddedPostgres postgres;

    @BeforeAll
    static void startPostgres() throws IOException {
        postgres =
                EmbeddedPostgres.builder()
                        .setPGStartupWait(Duration.ofSeconds(60))
                        .setServerConfig("max_connections", "300")
                        .start();
    }

    @AfterAll
    static void stopPostgres() throws IOException {
        postgres.close();
    }

    @Override
    Database open() {
        return Database.postgres(
                postgres.getJdbcUrl("postgres", "postgres"), DatabaseOptions.DEFAULT);
    }
}
