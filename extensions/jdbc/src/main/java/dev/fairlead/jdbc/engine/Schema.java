package dev.fairlead.jdbc.engine;

import io.ebean.migration.MigrationConfig;
import io.ebean.migration.MigrationContext;
import io.ebean.migration.MigrationException;
import io.ebean.migration.MigrationRunner;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/**
 * Brings the tables up to date: one set of scripts for both databases, in {@code fairlead-schema},
 * where words that differ are placeholders. A script that was released never changes; changes are
 * new scripts.
 */
final class Schema {
    /** The number by which nodes that start at once wait for each other. */
    private static final long LOCK = 0x0fa1_71ead;

    /** The number of the last script in the folder. */
    static final int VERSION = 9;

    private static final String META = "mcp_migration";

    private Schema() {}

    static void migrate(Connection connection, Dialect dialect) throws SQLException {
        try {
            connection.setAutoCommit(true);
            if (dialect == Dialect.POSTGRES) {
                execute(connection, "select pg_advisory_lock(" + LOCK + ")");
            }
            checkNotNewer(connection, dialect);
            new MigrationRunner(config(dialect)).run(context(connection));
        } catch (MigrationException e) {
            throw new SQLException("the schema could not be brought up to date: " + e, e);
        } finally {
            connection.setAutoCommit(true);
            if (dialect == Dialect.POSTGRES) {
                execute(connection, "select pg_advisory_unlock(" + LOCK + ")");
            }
        }
    }

    /** A newer program may have changed the meaning of the tables. */
    private static void checkNotNewer(Connection connection, Dialect dialect) throws SQLException {
        int version = version(connection, dialect);
        if (version > VERSION) {
            throw new SQLException(
                    ("the schema of the database is version %s, but this program supports at most"
                                    + " version %s; use the newer program that opened it before")
                            .formatted(version, VERSION));
        }
    }

    private static int version(Connection connection, Dialect dialect) throws SQLException {
        String exists =
                switch (dialect) {
                    case SQLITE -> "select 1 from sqlite_master where name = '" + META + "'";
                    case POSTGRES -> "select 1 where to_regclass('" + META + "') is not null";
                };
        return number(connection, exists) == 0
                ? 0
                : number(connection, "select max(cast(mversion as integer)) from " + META);
    }

    /** The number in the first row; 0 if there is none. */
    private static int number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            return result.next() ? result.getInt(1) : 0;
        }
    }

    private static MigrationConfig config(Dialect dialect) {
        MigrationConfig config = new MigrationConfig();
        config.setClassLoader(Schema.class.getClassLoader());
        config.setMigrationPath("fairlead-schema");
        config.setMetaTable(META);
        config.setFastMode(false); // it would begin by a statement that fails on an empty database
        config.setRunPlaceholderMap(words(dialect));
        return config;
    }

    private static Map<String, String> words(Dialect dialect) {
        return switch (dialect) {
            case SQLITE ->
                    Map.of(
                            "identity", "integer primary key autoincrement",
                            "bytes", "blob",
                            "timestamp", "timestamp",
                            "postgres", "-- ");
            case POSTGRES ->
                    Map.of(
                            "identity", "bigint generated always as identity primary key",
                            "bytes", "bytea",
                            "timestamp", "timestamp with time zone",
                            "postgres", "");
        };
    }

    private static MigrationContext context(Connection connection) {
        return new MigrationContext() {
            @Override
            public Connection connection() {
                return connection;
            }

            @Override
            public String migrationPath() {
                return "fairlead-schema";
            }

            @Override
            public String platform() {
                return "";
            }

            @Override
            public String basePlatform() {
                return "";
            }
        };
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
