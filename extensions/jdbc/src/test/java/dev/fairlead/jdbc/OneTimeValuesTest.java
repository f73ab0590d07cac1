package dev.fairlead.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.OneTimeValues;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Values of which each may be used once, by all nodes. */
class OneTimeValuesTest {
    private static final Duration KEPT = Duration.ofMinutes(2);

    @TempDir Path folder;

    private final List<Database> databases = new ArrayList<>();
    private long now = 1_000_000_000_000L;

    /** The database of all nodes of a test. */
    Database open() throws SQLException {
        if (databases.isEmpty()) {
            databases.add(Database.sqlite(folder.resolve("values.db")));
        }
        return databases.getFirst();
    }

    final Database kept(Database database) {
        databases.add(database);
        return database;
    }

    @AfterEach
    void close() {
        databases.forEach(Database::close);
    }

    /** A node whose clock is that of the test. */
    private OneTimeTable node(String space) throws SQLException {
        return new OneTimeTable(open().engine(), space) {
            @Override
            Long millis() {
                return now;
            }
        };
    }

    @Test
    void aValueIsUsedOnceByAllNodes() throws Exception {
        OneTimeTable here = node("a");
        OneTimeTable there = node("a");

        assertThat(here.use("v", KEPT)).isTrue();
        assertThat(here.use("v", KEPT)).isFalse();
        assertThat(there.use("v", KEPT)).isFalse();
        assertThat(there.use("w", KEPT)).isTrue();
        assertThat(node("b").use("v", KEPT)).as("in another space").isTrue();
    }

    @Test
    void ofManyUsesAtTheSameTimeOneIsTheFirst() throws Exception {
        List<OneTimeValues> nodes = List.of(open().oneTimeValues(), open().oneTimeValues());
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 10; round++) {
                String value = "value " + round;
                List<Callable<Boolean>> uses = new ArrayList<>();
                for (int i = 0; i < 16; i++) {
                    OneTimeValues node = nodes.get(i % 2);
                    uses.add(() -> node.use(value, KEPT));
                }
                int first = 0;
                for (Future<Boolean> use : threads.invokeAll(uses)) {
                    first += use.get() ? 1 : 0;
                }
                assertThat(first).isOne();
            }
        }
    }

    @Test
    void aValueIsForgottenOnceItsTimeIsOver() throws Exception {
        assertThat(node("a").use("v", KEPT)).isTrue();
        now += KEPT.toMillis();
        assertThat(node("a").use("v", KEPT)).as("a node that starts, too early").isFalse();
        now += 1;
        assertThat(node("a").use("v", KEPT)).isTrue();
    }
}
