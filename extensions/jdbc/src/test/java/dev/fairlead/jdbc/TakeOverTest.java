package dev.fairlead.jdbc;

import static dev.fairlead.jdbc.NodeProcess.OWNER;
import static dev.fairlead.jdbc.NodeProcess.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The tasks of a node on SQLite that dies or ends. */
class TakeOverTest {
    static final int TASKS = 40;
    static final Duration BEAT = Duration.ofMillis(50);

    @TempDir Path folder;

    /** Nodes that live until they leave, however slow they are. */
    private final OpenNodes nodes = new OpenNodes(BEAT, TestPostgres.LASTING.lease());

    @AfterEach
    void closeAll() throws Exception {
        nodes.close();
    }

    /** Starts a node that stores tasks; it takes no other node for dead. */
    static ChildProcess child(String url, OpenNodes nodes) throws Exception {
        ChildProcess child =
                ChildProcess.start(
                        ChildJvm.command(
                                NodeProcess.class,
                                url,
                                Integer.toString(TASKS),
                                Long.toString(BEAT.toMillis()),
                                Long.toString(TestPostgres.LASTING.lease().toMillis())));
        nodes.opened(child);
        assertThat(child.line().orElseThrow()).isEqualTo("ready");
        return child;
    }

    /** Waits until a node has taken over or ended all tasks of a child. */
    static List<TakenTask> awaitAllTaken(TestNode node) throws InterruptedException {
        List<TakenTask> taken = new ArrayList<>();
        List<StoredTask> ended = new ArrayList<>();
        for (int i = 0; i < TASKS / 2; i++) {
            taken.add(TestNode.next(node.taken));
            ended.add(TestNode.next(node.ended));
        }
        assertThat(taken)
                .allSatisfy(
                        one -> {
                            assertThat(one.task().run()).isEqualTo(2);
                            assertThat(one.task().state()).isEqualTo(TaskState.WORKING);
                            assertThat(one.task().progress()).isNotNull();
                        });
        assertThat(ended)
                .allSatisfy(
                        one -> {
                            assertThat(one.state()).isEqualTo(TaskState.ERROR);
                            assertThat(one.statusMessage()).isEqualTo(OrphanTable.WHY);
                        });
        assertThat(node.taken).isEmpty();
        assertThat(node.ended).isEmpty();
        return taken;
    }

    @Test
    void theNextProcessTakesOverWhatAKilledOneHeld() throws Exception {
        String path = folder.resolve("tasks.db").toString();
        child(path, nodes).kill();

        TestNode next = new TestNode("next");
        nodes.node(nodes.database(path), next);

        awaitAllTaken(next);
    }

    @Test
    void aNodeTakesNoMoreThanItHasPlaces() throws Exception {
        Database database = nodes.database(folder.resolve("tasks.db").toString());
        TaskStore leaving = nodes.node(database, new TestNode("leaving"));
        for (int i = 0; i < 10; i++) {
            leaving.create(task("task-" + i, true), 1_000);
        }
        TestNode small = new TestNode("small");
        small.freePlaces = 3;
        nodes.node(database, small);

        leaving.close();

        TestNode.next(small.taken);
        long taken =
                database.engine()
                        .read(
                                s ->
                                        s.first(
                                                        "select count(*) as n from mcp_task where"
                                                                + " run = 2",
                                                        row -> row.number("n"))
                                                .orElseThrow());
        assertThat(taken).isEqualTo(3);
        for (int i = 1; i < 3; i++) {
            TestNode.next(small.taken);
        }
        small.freePlaces = 100;
        for (int i = 3; i < 10; i++) {
            TestNode.next(small.taken);
        }
    }

    @Test
    void aNodeOfAnotherSpaceTakesNothing() throws Exception {
        Database database = nodes.database(folder.resolve("tasks.db").toString());
        TaskStore leaving = nodes.node(JdbcTasks.on(database, "one"), new TestNode("leaving"));
        TaskRun run = leaving.create(task("task", true), 1).key();
        TestNode other = new TestNode("other");
        TestNode same = new TestNode("same");
        TaskStore foreign = nodes.node(JdbcTasks.on(database, "two"), other);
        TaskStore neighbour = nodes.node(JdbcTasks.on(database, "two"), new TestNode("neighbour"));
        TaskRun own = neighbour.create(task("own", true), 1).key();

        leaving.close();
        neighbour.close();

        assertThat(TestNode.next(other.taken).task().id()).isEqualTo(own.id());
        nodes.node(JdbcTasks.on(database, "one"), same);
        assertThat(TestNode.next(same.taken).task().id()).isEqualTo(run.id());
        assertThat(other.taken).isEmpty();
        assertThat(foreign.find(OWNER, run.id())).isEmpty();
        assertThat(foreign.list(OWNER, null, 10).tasks())
                .extracting(StoredTask::id)
                .containsExactly(own.id());
    }
}
