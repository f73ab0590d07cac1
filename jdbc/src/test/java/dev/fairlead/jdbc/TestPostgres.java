package dev.fairlead.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A real PostgreSQL, started once for all tests of the module. */
public final class TestPostgres {
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private TestPostgres() {}

    /** Started when it is first asked for; it ends with the process. */
    private static final class Server {
        private static final EmbeddedPostgres RUNNING = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder()
                        .setPGStartupWait(Duration.ofSeconds(60))
                        .setServerConfig("max_connections", "300")
                        .start();
            } catch (IOException e) {
                throw new AssertionError("PostgreSQL did not start", e);
            }
        }
    }

    /** The URL of a new, empty database. */
    public static String database() throws SQLException {
        String name = "test" + DATABASES.incrementAndGet();
        try (Connection connection = Server.RUNNING.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
        }
        return Server.RUNNING.getJdbcUrl("postgres", name);
    }

    /** Ends all connections to a database, as a restart of the server would. */
    public static void dropConnections(String url) throws SQLException {
        String name = url.replaceAll(".*/([^?]+).*", "$1");
        try (Connection connection = Server.RUNNING.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity where datname = '"
                            + name
                            + "'");
        }
    }
}
