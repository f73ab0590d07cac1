package dev.fairlead.jdbc;

import static dev.fairlead.jdbc.NodeProcess.OWNER;
import static dev.fairlead.jdbc.NodeProcess.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskPage;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskSignals;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;

/** A row that cannot be read costs its own task, and no other. */
class UnreadableRowsTest {
    @TempDir Path folder;

    /** Nodes that live until they leave, however slow they are. */
    private final OpenNodes nodes =
            new OpenNodes(Duration.ofMillis(50), TestPostgres.LASTING.lease());

    private final TestNode node = new TestNode("node");
    private final BlockingQueue<TaskId> signalled = new LinkedBlockingQueue<>();
    private Database database;
    private TaskStore store;

    String url() throws SQLException {
        return folder.resolve("tasks.db").toString();
    }

    @BeforeEach
    void open() throws SQLException {
        database = nodes.database(url());
        Tasks.Parts parts = JdbcTasks.on(database).parts();
        nodes.opened(parts.signals())
                .open(
                        new TaskSignals.Listener() {
                            @Override
                            public void changed(TaskId id) {
                                signalled.add(id);
                            }

                            @Override
                            public void anyChanged() {}
                        });
        store = nodes.opened(parts.store());
        store.open(node, TestNode.CLOCK);
    }

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    /** Creates a task that may run again, at a node that knows of its run. */
    private TaskRun create(TaskStore at, TestNode of, String id) throws Exception {
        of.running.add(new TaskRun(OWNER, new TaskId(id), 1));
        return at.create(task(id, true), 100).key();
    }

    private TaskRun create(String id) throws Exception {
        return create(store, node, id);
    }

    /** Changes the row of a task as another program may. */
    private void change(String id, String assignments) throws SQLException {
        String sql = "update mcp_task set " + assignments + " where id = ?";
        int changed = database.engine().write(s -> s.update(sql, id));
        assertThat(changed).isOne();
    }

    private Optional<String> state(String id) throws SQLException {
        return database.engine()
                .read(
                        s ->
                                s.first(
                                        "select state from mcp_task where id = ?",
                                        row -> row.text("state"),
                                        id));
    }

    private long count(String condition) throws SQLException {
        return database.engine()
                .read(
                        s ->
                                s.first(
                                                "select count(*) as n from mcp_task where "
                                                        + condition,
                                                row -> row.number("n"))
                                        .orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "owner_key = 'x'",
                "token = '{}'",
                "token = '{'",
                "message = '\\'",
                "method = '\\00g0'"
            })
    void aSweepExpiresAndPurgesAllTasksWhoseTimeIsOver(String fault) throws Exception {
        create("bad");
        create("good");
        TaskRun ended = create("ended");
        store.end(ended, new TaskOutcome.Result(RawJson.EMPTY_OBJECT, false), null);
        long now = TestNode.CLOCK.millis();
        change("ended", "expires = " + (now - 1));
        change("bad", "expires = 0, " + fault);
        change("good", "expires = 1");

        store.sweep();

        assertThat(TestNode.next(node.expired).id()).isEqualTo(new TaskId("good"));
        assertThat(state("ended")).contains("EXPIRED");
        assertThat(state("good")).isEmpty();
        assertThat(state("bad")).isEmpty();
        assertThat(node.expired).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"origin = 'x'", "owner_key = 'x'", "poll_every = " + Long.MAX_VALUE})
    void aSweepPollsTheOtherJobs(String fault) throws Exception {
        Duration never = Duration.ofDays(10_000);
        store.park(create("bad"), "job of bad", never);
        store.park(create("good"), "job of good", never);
        change("bad", "poll_at = 0, " + fault);
        change("good", "poll_at = 1");

        store.sweep();

        TaskId polled = TestNode.next(node.polled).task().id();
        if (polled.equals(new TaskId("bad"))) { // a readable one may come first
            polled = TestNode.next(node.polled).task().id();
        }
        assertThat(polled).isEqualTo(new TaskId("good"));
        assertThat(count("poll_at < 2")).isZero();
    }

    @Test
    void aJobIsPolledNoMoreThanOnceInAMillisecond() throws Exception {
        store.park(create("task"), "job", Duration.ofDays(1));
        change("task", "poll_at = 0, poll_every = -1");

        store.sweep();

        TestNode.next(node.polled);
        assertThat(count("poll_at > " + TestNode.CLOCK.millis())).isOne();
    }

    /** Tasks of a node that leaves; the bad one comes first. */
    private void leave(String fault) throws Exception {
        TestNode leaving = new TestNode("leaving");
        TaskStore held = nodes.node(database, leaving);
        create(held, leaving, "bad");
        change("bad", fault);
        create(held, leaving, "good");
        held.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"owner_key = 'x'", "message = '\\'", "run = " + Long.MAX_VALUE})
    void aNodeTakesOverTheOtherTasks(String fault) throws Exception {
        leave(fault);

        assertThat(TestNode.next(node.taken).task().id()).isEqualTo(new TaskId("good"));
        assertThat(store.update(new TaskRun(OWNER, new TaskId("good"), 2), null, 0.5)).isTrue();
        assertThat(node.taken).isEmpty();
    }

    @Test
    void aTaskWhoseOriginCannotBeReadEnds() throws Exception {
        leave("origin = 'x'");

        StoredTask ended = TestNode.next(node.ended);

        assertThat(ended.id()).isEqualTo(new TaskId("bad"));
        assertThat(ended.state()).isEqualTo(TaskState.ERROR);
        assertThat(ended.statusMessage()).isEqualTo(OrphanTable.UNREADABLE);
        assertThat(count("state = 'WORKING' and id = 'good' or node is null")).isEqualTo(2);
        assertThat(TestNode.next(node.taken).task().id()).isEqualTo(new TaskId("good"));
    }

    @Test
    void theOtherQuestionsOfADeadNodeAreFree() throws Exception {
        TaskStore leaving = nodes.node(database, new TestNode("leaving"));
        TaskQuestion question = new TaskQuestion(1, "digest", "ping", RawJson.EMPTY_OBJECT, null);
        for (String id : new String[] {"bad", "good"}) {
            TaskRun run = create(id);
            store.ask(run, List.of(question));
            leaving.deliver(OWNER, run.id(), 1, null, new TaskQuestion.Delivery(id, true));
        }
        change("bad", "id = '\\'");

        leaving.close();

        assertThat(TestNode.next(signalled)).isEqualTo(new TaskId("good"));
        assertThat(store.delivered(OWNER, "good")).isEmpty();
    }

    @Test
    void aListHasTheOtherTasksAndItsPagesContinue() throws Exception {
        for (String id : new String[] {"first", "bad", "last"}) {
            create(id);
        }
        change("bad", "message = '\\'");

        TaskPage first = store.list(OWNER, null, 2);
        assertThat(first.tasks()).extracting(StoredTask::id).containsExactly(new TaskId("first"));
        TaskPage last = store.list(OWNER, first.next(), 2);
        assertThat(last.tasks()).extracting(StoredTask::id).containsExactly(new TaskId("last"));
        assertThat(last.next()).isNull();
        assertThat(store.overview().orElseThrow().open(10))
                .extracting(seen -> seen.task().id().value())
                .containsExactlyInAnyOrder("first", "last");
    }

    /** Lines are limited by space, so that the test has one of its own each time. */
    @Test
    void aRowIsLoggedOnceWithoutItsContent() throws Exception {
        TestNode own = new TestNode("own");
        TaskStore listed = nodes.node(JdbcTasks.on(database, "logged-" + UUID.randomUUID()), own);
        create(listed, own, "bad\nid");
        change("bad\nid", "message = '\\', token = 'secret'");

        try (Logged logged = new Logged(UnreadableRows.class.getName(), Level.INFO)) {
            listed.list(OWNER, null, 10);
            listed.list(OWNER, null, 10);

            assertThat(logged.lines())
                    .containsExactly(
                            "WARNING The row of task bad id in table mcp_task cannot be read"
                                    + " (column token); it is skipped, and deleted once it has"
                                    + " expired");
        }
    }
}
