package dev.fairlead.benchmarks;

import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.JdbcTasks;
import dev.fairlead.tasks.Tasks;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** A store by its URL, with limits that no benchmark reaches. */
final class OpenStore implements AutoCloseable {
    private static final int MANY = 2_000_000;

    private final @Nullable Database database;
    private final Tasks tasks;

    OpenStore(String url) {
        this.database = url.equals("memory:") ? null : Database.open(url);
        this.tasks = unlimited(database == null ? inMemory() : JdbcTasks.on(database));
    }

    /** Tasks that end are soon gone, or memory would be full of them. */
    private static Tasks inMemory() {
        return Tasks.inMemory(MANY, 4L << 30)
                .defaultTtl(Duration.ofSeconds(10))
                .retention(Duration.ofSeconds(1));
    }

    /** The limit per owner keeps its default, so that tasks are counted as by default. */
    private static Tasks unlimited(Tasks tasks) {
        return tasks.maxRunning(100_000).operationsPerSecond(1_000_000).suspicion(MANY, MANY * 100);
    }

    Tasks tasks() {
        return tasks;
    }

    /** How many transactions were committed; nothing is for a store in memory. */
    long commits() {
        return database == null ? 0 : database.commits();
    }

    @Override
    public void close() {
        if (database != null) {
            database.close();
        }
    }
}
