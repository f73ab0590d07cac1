package dev.fairlead.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A real PostgreSQL, started once for all tests of the module. */
public final class TestPostgres {
    /**
     * Options of nodes whose death must not be detected: one lives until it leaves, also if a busy
     * machine delays its beats.
     */
    public static final DatabaseOptions LASTING =
            DatabaseOptions.DEFAULT.withLiveness(Duration.ofSeconds(1), Duration.ofMinutes(1));

    private static final String OBSERVER = "observer";
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

    /** A database with the tables of this version, to copy from. */
    private static final class Template {
        private static final String NAME = make();

        private static String make() {
            String url = database();
            open(url).close();
            return name(url);
        }
    }

    /** The URL of a new, empty database. */
    public static String database() {
        return database("template1");
    }

    /** The URL of a new database with empty tables: a copy takes half the time of making them. */
    static String databaseWithTables() {
        return database(Template.NAME);
    }

    private static String database(String template) {
        String name = "test" + DATABASES.incrementAndGet();
        execute("create database " + name + " template " + template + " strategy file_copy");
        return Server.RUNNING.getJdbcUrl("postgres", name);
    }

    /** Opens a database for a node that lives until it leaves. */
    public static Database open(String url) {
        return Database.postgres(url, LASTING);
    }

    static int port() {
        return Server.RUNNING.getPort();
    }

    /** The same URL by another port of this machine. */
    static String through(String url, int port) {
        return url.replace(":" + port() + "/", ":" + port + "/");
    }

    /** Ends all connections to a database, as a restart of the server would. */
    public static void dropConnections(String url) {
        execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where datname = '"
                        + name(url)
                        + "' and application_name <> '"
                        + OBSERVER
                        + "'");
    }

    /** A connection that {@link #dropConnections} leaves alone. */
    static Connection observer(String url) throws SQLException {
        Connection connection = Server.RUNNING.getDatabase("postgres", name(url)).getConnection();
        try (Statement statement = connection.createStatement()) {
            statement.execute("set application_name = " + OBSERVER);
        }
        return connection;
    }

    /** Whether new connections to a database are allowed. */
    public static void allowConnections(String url, boolean allowed) {
        execute("alter database " + name(url) + " allow_connections " + allowed);
    }

    private static String name(String url) {
        return url.replaceAll(".*/([^?]+).*", "$1");
    }

    /** The one number that a query on a database gives. */
    public static long number(String url, String sql) {
        try (Connection connection =
                        Server.RUNNING.getDatabase("postgres", name(url)).getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getLong(1);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    private static void execute(String sql) {
        try (Connection connection = Server.RUNNING.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }
}
