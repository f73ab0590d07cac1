package dev.fairlead.jdbc;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.NewTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskStore;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How many ended tasks an owner may have, and all anonymous owners. */
class EndedSharesTest {
    private static final int SIZE = 10_000;
    private static final Owner ANN = new Owner.Principal("https://issuer.example", "ann", null);
    private static final Owner BOB = new Owner.Principal("https://issuer.example", "bob", null);

    @TempDir Path folder;

    private int created;

    private interface Case {
        void run(TaskStore store) throws Exception;
    }

    Database open(DatabaseOptions options) throws SQLException {
        return Database.sqlite(folder.resolve("tasks.db"), options);
    }

    private void with(DatabaseOptions options, Case test) throws Exception {
        try (Database database = open(options)) {
            run(database, test);
        }
    }

    private static void run(Database database, Case test) throws Exception {
        try (TaskStore store = JdbcTasks.on(database).parts().store()) {
            store.open(new TestNode("node"), TestNode.CLOCK);
            test.run(store);
        }
    }

    private TaskRun ended(TaskStore store, Owner owner) throws Exception {
        TaskId id = new TaskId("task-" + ++created);
        RawJson origin = RawJson.parse("{}");
        var task =
                new NewTask(id, owner, "tools/call", "", origin, null, Duration.ofHours(1), true);
        TaskRun run = store.create(task, Integer.MAX_VALUE).key();
        store.end(run, result(SIZE), null);
        return run;
    }

    private List<TaskRun> ended(TaskStore store, Owner owner, int tasks) throws Exception {
        List<TaskRun> runs = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            runs.add(ended(store, owner));
        }
        return runs;
    }

    private static boolean has(TaskStore store, TaskRun run) {
        return store.find(run.owner(), run.id()).isPresent();
    }

    /** The store also sweeps by itself, and may be about to remove the tasks that are due. */
    private static void assertKept(TaskStore store, List<TaskRun> runs, int newest) {
        store.sweep();
        await().untilAsserted(
                        () -> {
                            for (int i = 0; i < runs.size(); i++) {
                                assertThat(has(store, runs.get(i)))
                                        .as("task %d of %d", i, runs.size())
                                        .isEqualTo(i >= runs.size() - newest);
                            }
                        });
    }

    @Test
    void theOldestEndedTasksOfAnOwnerGoBeyondItsBytes() throws Exception {
        with(
                DatabaseOptions.DEFAULT.withEnded(1_000, 5 * SIZE),
                store -> {
                    TaskRun other = ended(store, BOB);
                    assertKept(store, ended(store, ANN, 8), 5);
                    assertThat(has(store, other)).isTrue();
                });
    }

    @Test
    void theOldestEndedTasksOfAnOwnerGoBeyondTheirNumber() throws Exception {
        with(
                DatabaseOptions.DEFAULT.withEnded(3, 1L << 30),
                store -> {
                    TaskRun other = ended(store, BOB);
                    assertKept(store, ended(store, ANN, 5), 3);
                    assertThat(has(store, other)).isTrue();
                });
    }

    @Test
    void oneResultMayExceedTheBytesOfAnOwner() throws Exception {
        with(
                DatabaseOptions.DEFAULT.withEnded(1_000, SIZE / 2),
                store -> assertKept(store, ended(store, ANN, 2), 1));
    }

    @Test
    void allAnonymousOwnersTogetherAreBounded() throws Exception {
        with(
                // one more ended task is enough for a check: the store may sweep before the last
                DatabaseOptions.DEFAULT.withEnded(1, 1L << 30),
                store -> {
                    TaskRun known = ended(store, ANN);
                    List<TaskRun> anonymous = new ArrayList<>();
                    for (int i = 0; i < 7; i++) {
                        anonymous.add(ended(store, new Owner.Anonymous("session-" + i)));
                    }
                    assertKept(store, anonymous, EndedShares.ANONYMOUS);
                    assertThat(has(store, known)).isTrue();
                });
    }

    @Test
    void manyOwnersDoNotEndTheCountOfOneThatStoresAgainAndAgain() throws Exception {
        DatabaseOptions options = DatabaseOptions.DEFAULT.withEnded(1_000, 5 * SIZE);
        try (Database database = open(options)) {
            run(
                    database,
                    store -> {
                        List<TaskRun> runs = ended(store, ANN, 8);
                        var shares =
                                new EndedShares(
                                        new StoreAccess(database.engine(), "tasks"), options);
                        shares.ended(ANN, result(SIZE));
                        endedByOthers(shares, "first");
                        shares.ended(ANN, result(2));
                        endedByOthers(shares, "second");
                        shares.trim(100);
                        assertThat(runs).filteredOn(run -> has(store, run)).hasSize(5);
                    });
        }
    }

    private static void endedByOthers(EndedShares shares, String prefix) {
        for (int i = 1; i < EndedShares.MAX_OWNERS; i++) {
            shares.ended(
                    new Owner.Principal("https://issuer.example", prefix + i, null), result(2));
        }
    }

    private static TaskOutcome.Result result(int size) {
        RawJson value = RawJson.parse("\"" + "x".repeat(size - 2) + "\"");
        return new TaskOutcome.Result(value, false);
    }
}
