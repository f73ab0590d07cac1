package dev.fairlead.jdbc;

import static dev.fairlead.jdbc.NodeProcess.OWNER;
import static dev.fairlead.jdbc.NodeProcess.task;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.RawJson;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskStore;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** Changes of the same tasks by two nodes, and by the threads of one, never wait in a circle. */
@Tag("proof")
class DeadlockTest {
    private static final int TASKS = 300;
    private static final int NODES = 2;

    private String url;

    @BeforeEach
    void create() {
        url = TestPostgres.database();
    }

    /** Each node changes all tasks, in an order of its own. */
    private void onAllNodes(int rounds, BiConsumer<TaskStore, TaskRun> change) throws Exception {
        Random random = new Random(42);
        List<Database> databases = new ArrayList<>();
        List<TaskStore> stores = new ArrayList<>();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int node = 0; node < NODES; node++) {
                databases.add(TestPostgres.open(url));
                stores.add(JdbcTasks.on(databases.getLast()).parts().store());
                stores.getLast().open(new TestNode("node-" + node), Clock.systemUTC());
            }
            List<Future<?>> changes = new ArrayList<>();
            List<TaskRun> runs = runs(stores.getFirst(), callers);
            for (int round = 0; round < rounds; round++) {
                for (TaskStore store : stores) {
                    Collections.shuffle(runs, random);
                    for (TaskRun run : List.copyOf(runs)) {
                        changes.add(callers.submit(() -> change.accept(store, run)));
                    }
                }
            }
            for (Future<?> one : changes) {
                one.get(2, TimeUnit.MINUTES);
            }
        } finally {
            stores.forEach(TaskStore::close);
            databases.forEach(Database::close);
        }
    }

    private static List<TaskRun> runs(TaskStore store, ExecutorService callers) throws Exception {
        List<Future<TaskRun>> creating = new ArrayList<>();
        for (int i = 0; i < TASKS; i++) {
            String id = "task-" + i;
            creating.add(callers.submit(() -> store.create(task(id, true), 10_000).key()));
        }
        List<TaskRun> runs = new ArrayList<>();
        for (Future<TaskRun> one : creating) {
            runs.add(one.get());
        }
        return runs;
    }

    /** The count of the server; the count of a connection is included once it is closed. */
    private long deadlocks() {
        await().until(
                        () ->
                                TestPostgres.number(
                                                url,
                                                "select count(*) from pg_stat_activity where"
                                                        + " datname = current_database() and"
                                                        + " application_name = 'fairlead'")
                                        == 0);
        return TestPostgres.number(
                url, "select deadlocks from pg_stat_database where datname = current_database()");
    }

    @Test
    void tasksThatTwoNodesCancelEndWithoutADeadlock() throws Exception {
        onAllNodes(1, (store, run) -> store.cancel(run.owner(), run.id(), "enough"));

        assertThat(deadlocks()).isZero();
    }

    @Test
    void tasksThatTwoNodesUpdateChangeWithoutADeadlock() throws Exception {
        onAllNodes(5, (store, run) -> store.update(run, "still at work", null));

        assertThat(deadlocks()).isZero();
    }

    /** Claims lock the question, answers the task and then the question. */
    @Test
    void questionsThatTwoNodesClaimAndAnswerAreAnsweredWithoutADeadlock() throws Exception {
        onAllNodes(
                2,
                (store, run) -> {
                    store.ask(
                            run,
                            new TaskQuestion(
                                    1, "digest", "elicitation/create", RawJson.EMPTY_OBJECT, null));
                    TaskQuestion.Delivery claim = new TaskQuestion.Delivery("claim", true);
                    store.deliver(OWNER, run.id(), 1, null, claim);
                    store.record(run, "key", RawJson.EMPTY_OBJECT);
                    store.update(run, "asked", null);
                    store.deliver(OWNER, run.id(), 1, claim, null);
                    store.answer(
                            OWNER,
                            run.id(),
                            1,
                            new TaskOutcome.Result(RawJson.EMPTY_OBJECT, false));
                });

        assertThat(deadlocks()).isZero();
    }
}
