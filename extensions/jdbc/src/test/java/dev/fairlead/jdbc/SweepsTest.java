package dev.fairlead.jdbc;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.test.support.Logged;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;

class SweepsTest {
    @Test
    void aDatabaseThatCannotBeWrittenIsLoggedOnceUntilItIsSweptAgain(@TempDir Path folder)
            throws Exception {
        Path file = folder.resolve("tasks.db");
        AtomicInteger looks = new AtomicInteger();
        CountDownLatch swept = new CountDownLatch(1);
        try (Database database = Database.sqlite(file);
                Logged logged = new Logged(Sweeps.class.getName(), Level.WARNING)) {
            execute(
                    file,
                    "create trigger full before update of picked on mcp_scheduled"
                            + " begin select raise(abort, 'no room'); end");
            Sweeps sweeps =
                    new Sweeps(
                            database.engine().sweeping(),
                            "tasks",
                            Duration.ofMillis(20),
                            () -> time(looks),
                            swept::countDown);
            try (sweeps) {
                sweeps.started();
                await().until(() -> !logged.lines().isEmpty());
                int before = looks.get();
                await().until(() -> looks.get() >= before + 20); // it tries again, some times
                execute(file, "drop trigger full");
                assertThat(swept.await(60, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(logged.lines())
                    .singleElement(as(InstanceOfAssertFactories.STRING))
                    .startsWith(
                            "WARNING Could not remove expired entries of tasks, and tries again"
                                    + " every 20 ms: ")
                    .contains("no room");
        }
    }

    /** Passes by a second with each look. */
    private static Instant time(AtomicInteger looks) {
        return Instant.EPOCH.plusSeconds(looks.incrementAndGet());
    }

    private static void execute(Path file, String sql) throws SQLException {
        String url = "jdbc:sqlite:" + file + "?busy_timeout=60000"; // a sweep may be under way
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
