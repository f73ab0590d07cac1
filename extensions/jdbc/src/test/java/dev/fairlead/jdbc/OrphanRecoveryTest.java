package dev.fairlead.jdbc;

import static dev.fairlead.jdbc.NodeProcess.OWNER;
import static dev.fairlead.jdbc.NodeProcess.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.TaskStore;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;

/** The node on SQLite that continues a task when nodes fail in less simple ways. */
class OrphanRecoveryTest {
    private static final Duration BEAT = Duration.ofMillis(10);

    /** Fifteen of them pass between two comparisons with the memory; no node dies of it. */
    private static final Duration LEASE = BEAT.multipliedBy(4);

    @TempDir Path folder;

    private final OpenNodes nodes = new OpenNodes(BEAT, LEASE);

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    private static TaskRun run(String id) {
        return new TaskRun(OWNER, new TaskId(id), 1);
    }

    private Database file() {
        return nodes.database(folder.resolve("tasks.db").toString());
    }

    @Test
    void tasksThatAreNotRestartableEndEvenIfNoNodeHasCapacity() throws Exception {
        Database database = file();
        TestNode first = new TestNode("leaving");
        first.running.add(run("again"));
        first.running.add(run("final"));
        TaskStore leaving = nodes.node(database, first);
        leaving.create(task("again", true), 10);
        leaving.create(task("final", false), 10);
        TestNode full = new TestNode("full");
        full.freePlaces = 0;
        TaskStore store = nodes.node(database, full);

        leaving.close();

        StoredTask ended = TestNode.next(full.ended);
        assertThat(ended.id()).isEqualTo(new TaskId("final"));
        assertThat(ended.state()).isEqualTo(TaskState.ERROR);
        assertThat(store.find(OWNER, new TaskId("again")).orElseThrow().run()).isOne();
    }

    @Test
    void aRunThatNoMemoryKnowsIsBegunAgainOrEnds() throws Exception {
        TestNode node = new TestNode("node");
        TaskRun known = run("known");
        node.running.add(known);
        node.whenTaken = taken -> node.running.add(taken.task().key());
        TaskStore store = nodes.node(file(), node);
        assertThat(store.create(task("known", true), 10).key()).isEqualTo(known);
        store.create(task("again", true), 10);
        store.create(task("final", false), 10);

        StoredTask taken = TestNode.next(node.taken).task();
        assertThat(taken.id()).isEqualTo(new TaskId("again"));
        assertThat(taken.run()).isEqualTo(2);
        assertThat(TestNode.next(node.ended).id()).isEqualTo(new TaskId("final"));
        assertThat(node.taken).isEmpty();
        assertThat(node.ended).isEmpty();
        assertThat(store.update(known, "still mine", null)).isTrue();
    }

    @Test
    void aRunThatNoMemoryKnowsIsBegunAgainBesideOneThatCannotBeRead() throws Exception {
        TestNode node = new TestNode("node");
        node.whenTaken = taken -> node.running.add(taken.task().key());
        Database database = file();
        TaskStore store = nodes.node(database, node);
        node.running.add(run("bad"));
        store.create(task("bad", true), 10);
        database.engine()
                .write(s -> s.update("update mcp_task set owner_key = 'x' where id = 'bad'"));
        node.running.remove(run("bad"));
        store.create(task("good", true), 10);

        assertThat(TestNode.next(node.taken).task().id()).isEqualTo(new TaskId("good"));
    }
}
