package dev.fairlead.benchmarks;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Where new stores come from; all of them are gone when this is closed. */
final class Places implements AutoCloseable {
    private final Path folder;
    private final @Nullable String given;
    private final List<String> databases = new ArrayList<>();
    private @Nullable EmbeddedPostgres postgres;
    private int count;

    /**
     * @param postgres URL of the PostgreSQL to use; null to start one
     */
    Places(@Nullable String postgres) throws IOException {
        this.folder = Files.createTempDirectory("fairlead-benchmark");
        this.given = postgres;
    }

    String fresh(StoreKind kind) throws IOException, SQLException {
        count++;
        return switch (kind) {
            case MEMORY -> "memory:";
            case SQLITE -> "file:" + folder.resolve("tasks" + count + ".db");
            case POSTGRES -> database("fairlead_benchmark_" + count);
        };
    }

    private String database(String name) throws IOException, SQLException {
        execute("drop database if exists " + name + " with (force)");
        execute("create database " + name);
        databases.add(name);
        return server().replaceFirst("(://[^/]+/)[^?]*", "$1" + name);
    }

    private String server() throws IOException {
        if (given != null) {
            return given;
        }
        if (postgres == null) {
            postgres =
                    EmbeddedPostgres.builder()
                            .setPGStartupWait(Duration.ofSeconds(60))
                            .setServerConfig("fsync", "on")
                            .setServerConfig("synchronous_commit", "on")
                            .setServerConfig("max_connections", "200")
                            .start();
        }
        return postgres.getJdbcUrl("postgres", "postgres");
    }

    private void execute(String sql) throws IOException, SQLException {
        try (Connection connection = DriverManager.getConnection(server());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            if (postgres != null) {
                postgres.close();
            } else {
                dropDatabases();
            }
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private void dropDatabases() throws IOException {
        for (String name : databases) {
            try {
                execute("drop database if exists " + name + " with (force)");
            } catch (SQLException e) {
                throw new IOException("database " + name + " was not dropped", e);
            }
        }
    }
}
