package dev.fairlead.benchmarks;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * What a PostgreSQL counts. A connection reports now and then what it did, and when it is closed.
 */
final class Wal {
    private static final int COUNTED_AS_IO = 18;

    private final String url;

    Wal(String url) {
        this.url = url;
    }

    /** How often its log was written to the disk for good, by all of the server's databases. */
    long syncs() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            boolean io = connection.getMetaData().getDatabaseMajorVersion() >= COUNTED_AS_IO;
            return number(
                    connection,
                    io
                            ? "select sum(fsyncs) from pg_stat_io where object = 'wal'"
                            : "select wal_sync from pg_stat_wal");
        }
    }

    /** Waits until the connections of others are closed, and have reported what they did. */
    void untilAlone() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            while (number(
                            connection,
                            "select count(*) from pg_stat_activity"
                                    + " where datname = current_database()")
                    > 1) {
                Pauses.pause(Duration.ofMillis(50));
            }
        }
        Pauses.pause(Duration.ofMillis(500));
    }

    /** How many rows of this database were inserted, updated or deleted. */
    long rowsWritten() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            return number(
                    connection,
                    "select tup_inserted + tup_updated + tup_deleted from pg_stat_database"
                            + " where datname = current_database()");
        }
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getLong(1);
        }
    }
}
