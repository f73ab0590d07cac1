package dev.fairlead.jdbc;

import static dev.fairlead.jdbc.NodeProcess.OWNER;
import static dev.fairlead.jdbc.NodeProcess.task;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.changes.Change;
import dev.fairlead.protocol.changes.ChangeBus;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The tasks of a node on PostgreSQL that dies, is frozen or ends. */
@Tag("proof")
class PostgresTakeOverTest {
    private static final Duration LEASE = Duration.ofSeconds(5);

    /** Nodes that live until they leave, however slow they are. */
    private final OpenNodes nodes = new OpenNodes(TakeOverTest.BEAT, TestPostgres.LASTING.lease());

    /** Nodes that notice when one dies that cannot leave. */
    private final OpenNodes watching = new OpenNodes(TakeOverTest.BEAT, LEASE);

    @AfterEach
    void closeAll() throws Exception {
        nodes.close();
        watching.close();
    }

    @Test
    void anotherNodeTakesOverWhatAKilledOneHeld() throws Exception {
        String url = TestPostgres.database();
        ChildProcess child = TakeOverTest.child(url, nodes);
        TestNode other = new TestNode("other");
        TaskStore store = watching.node(watching.database(url), other);
        child.kill();

        TakeOverTest.awaitAllTaken(other);
        TaskOutcome outcome = store.outcome(OWNER, new TaskId("child-1")).orElseThrow();
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        TaskOutcome.Error.class,
                        error -> assertThat(error.error().message()).isEqualTo(OrphanTable.WHY));
    }

    /** A node that was killed may have announced a change in its last moment in vain. */
    @Test
    void theOthersAnnounceEverythingOnceWhenANodeIsDead() throws Exception {
        String url = TestPostgres.database();
        ChildProcess child = TakeOverTest.child(url, nodes);
        TestNode other = new TestNode("other");
        Database watched = watching.database(url);
        watching.node(watched, other);
        NotifyChangeBusTest.Log near = new NotifyChangeBusTest.Log();
        NotifyChangeBusTest.Log far = new NotifyChangeBusTest.Log();
        NotifyChangeBusTest.Log apart = new NotifyChangeBusTest.Log();
        ChangeBus bus = JdbcChanges.on(watched);
        ChangeBus others = JdbcChanges.on(watched, "others");
        try (var one = bus.listen(near);
                var two = others.listen(near);
                var three = JdbcChanges.on(nodes.database(url)).listen(far);
                var four = JdbcChanges.on(nodes.database(url), "others").listen(apart)) {
            await().until(() -> near.missed.get() + far.missed.get() + apart.missed.get() == 4);
            child.kill(); // once all listen

            TakeOverTest.awaitAllTaken(other);

            assertAnnouncedOnce(bus, far);
            assertAnnouncedOnce(others, apart);
            await().until(() -> near.missed.get() == 4);
        }
    }

    private static void assertAnnouncedOnce(ChangeBus bus, NotifyChangeBusTest.Log listener) {
        Change last = new Change.OfResource("docs://last");
        bus.publish(last);
        await().until(() -> listener.changes.contains(last));
        assertThat(listener.missed).hasValue(2); // the first when it began to listen
    }

    @Test
    void aFrozenNodeCannotOverwriteItsSuccessorAndRejoins() throws Exception {
        String url = TestPostgres.database();
        ChildProcess child = TakeOverTest.child(url, nodes);
        TestNode other = new TestNode("other");
        TaskStore store = watching.node(watching.database(url), other);
        child.signal("STOP");
        List<TakenTask> all = TakeOverTest.awaitAllTaken(other);
        for (TakenTask taken : all) {
            assertThat(store.end(taken.task().key(), done("successor"), null)).isTrue();
        }

        child.signal("CONT");

        int refused = 0;
        boolean fenced = false;
        while (refused < TakeOverTest.TASKS || !fenced) {
            String line = child.line().orElseThrow();
            refused += line.startsWith("refused ") ? 1 : 0;
            fenced |= line.equals("fenced");
        }
        for (TakenTask taken : all) {
            assertThat(store.outcome(OWNER, taken.task().id()).map(PostgresTakeOverTest::text))
                    .contains("{\"by\":\"successor\"}");
        }
    }

    private static TaskOutcome done(String by) {
        return new TaskOutcome.Result(RawJson.parse("{\"by\":\"" + by + "\"}"), false);
    }

    private static String text(TaskOutcome outcome) {
        return ((TaskOutcome.Result) outcome).value().toJson();
    }

    @Test
    void severalNodesShareWhatADeadOneHeld() throws Exception {
        String url = TestPostgres.database();
        TestNode[] living = {new TestNode("a"), new TestNode("b"), new TestNode("c")};
        for (TestNode node : living) {
            nodes.node(nodes.database(url), node);
        }
        TaskStore leaving = nodes.node(nodes.database(url), new TestNode("leaving"));
        for (int i = 0; i < 300; i++) {
            leaving.create(task("task-" + i, true), 1_000);
        }

        leaving.close();

        await().until(() -> Stream.of(living).mapToInt(node -> node.taken.size()).sum() >= 300);
        assertThat(Stream.of(living).flatMap(node -> node.taken.stream()))
                .extracting(taken -> taken.task().id())
                .doesNotHaveDuplicates();
    }

    @Test
    void theQuestionsThatADeadNodeWasDeliveringAreFree() throws Exception {
        String url = TestPostgres.database();
        TaskStore asking = nodes.node(nodes.database(url), new TestNode("asking"));
        TaskStore delivering = nodes.node(nodes.database(url), new TestNode("delivering"));
        TaskRun run = asking.create(task("task", true), 1).key();
        asking.ask(run, new TaskQuestion(1, "digest", "roots/list", RawJson.EMPTY_OBJECT, null));
        TaskQuestion.Delivery claim = new TaskQuestion.Delivery("claim", true);
        assertThat(delivering.deliver(OWNER, run.id(), 1, null, claim)).isTrue();

        delivering.close();

        await().until(() -> asking.questions(OWNER, run.id()).getFirst().delivery() == null);
    }

    @Test
    void aNodeThatWasDeclaredDeadStopsItsHandlersAndRejoinsAsANewOne() throws Exception {
        String url = TestPostgres.database();
        TestNode node = new TestNode("node");
        Database database = nodes.database(url);
        TaskStore store = nodes.node(database, node);
        TaskRun before = store.create(task("before", true), 10).key();

        database.engine().write(s -> s.update("update mcp_node set died = 1"));
        StoredTask after = store.create(task("after", true), 10);

        assertThat(node.fenced).isOne();
        assertThat(store.update(after.key(), "on", null)).isTrue();
        await().until(() -> node.taken.size() == 1);
        assertThat(node.taken.element().task().id()).isEqualTo(before.id());
    }

    @Test
    void aNodeIsNotifiedOfItsRunsThatWereCancelledElsewhere() throws Exception {
        String url = TestPostgres.database();
        TestNode node = new TestNode("node");
        TaskStore store = nodes.node(nodes.database(url), node);
        TaskStore elsewhere = nodes.node(nodes.database(url), new TestNode("elsewhere"));
        TaskRun run = store.create(task("task", true), 1).key();

        assertThat(elsewhere.cancel(OWNER, run.id(), "no more")).isTrue();

        await().until(() -> node.lost.contains(run));
        store.release(run);
        TaskRun next = store.create(task("next", true), 1).key();
        elsewhere.cancel(OWNER, next.id(), "no more");
        await().until(() -> node.lost.contains(next));
        node.lost.clear(); // all losses found before the release have been reported by now
        await().until(() -> node.lost.contains(next));
        assertThat(node.lost).doesNotContain(run);
    }
}
