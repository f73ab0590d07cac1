package dev.fairlead.jdbc;

import static dev.fairlead.jdbc.NodeProcess.task;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.TaskStore;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** The node that continues a task when nodes or their PostgreSQL fail in less simple ways. */
@Tag("proof")
class PostgresOrphanRecoveryTest {
    private static final Duration BEAT = Duration.ofMillis(10);

    private static final Duration LEASE = TestPostgres.LASTING.lease();

    /** Nodes that live until they leave, however slow they are. */
    private final OpenNodes nodes = new OpenNodes(BEAT, LEASE);

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    @Test
    void afterAnOutageOfTheDatabaseNodesGiveEachOtherTheTimeToComeBack() throws Exception {
        String url = TestPostgres.database();
        TestNode[] living = {new TestNode("one"), new TestNode("other")};
        for (TestNode node : living) {
            nodes.node(nodes.database(url), node).create(task(node.name(), true), 2);
        }
        long before = lastBeat(url);
        try (Connection observer = TestPostgres.observer(url);
                Statement time = observer.createStatement()) {
            TestPostgres.allowConnections(url, false);
            TestPostgres.dropConnections(url);
            time.execute(
                    "update mcp_node set beat = beat - %1$s, steady = steady - %1$s"
                            .formatted(LEASE.plusSeconds(1).toMillis()));
            TestPostgres.allowConnections(url, true);
            String back = "select count(*) from mcp_node where steady > " + before;
            await().until(() -> TestPostgres.number(url, back) == 2);
            time.execute("update mcp_node set steady = steady - " + LEASE.toMillis());
        }

        // Each has been steady for longer than a lease since, and could have buried the other.
        await().until(
                        () ->
                                TestPostgres.number(
                                                url,
                                                "select count(*) from mcp_node where beat - steady"
                                                        + " > "
                                                        + LEASE.plus(BEAT.multipliedBy(10))
                                                                .toMillis())
                                        == 2);
        assertThat(TestPostgres.number(url, "select count(*) from mcp_node")).isEqualTo(2);
        for (TestNode node : living) {
            assertThat(node.fenced).isZero();
            assertThat(node.taken).isEmpty();
        }
    }

    @Test
    void aNodeWhoseTakeoverCallbackBlocksOrFailsStaysAliveAndReceivesTheRest() throws Exception {
        String url = TestPostgres.database();
        CountDownLatch blocking = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        TestNode heir = new TestNode("heir");
        heir.whenTaken =
                task -> {
                    blocking.countDown();
                    uninterruptibly(go);
                    if (task.task().id().value().equals("first")) {
                        throw new AssertionError("on purpose");
                    }
                };
        TaskStore leaving = nodes.node(nodes.database(url), new TestNode("leaving"));
        leaving.create(task("first", true), 10);
        leaving.create(task("second", true), 10);
        nodes.node(nodes.database(url), heir);
        leaving.close();
        uninterruptibly(blocking);

        long beat = lastBeat(url);
        await().until(() -> lastBeat(url) > beat + 200);
        go.countDown();
        await().until(() -> heir.taken.size() == 1);

        assertThat(heir.taken.element().task().id()).isEqualTo(new TaskId("second"));
        assertThat(heir.fenced).isZero();
    }

    @Test
    void aNodeTakesNoMoreAtATimeThanItsPart() throws Exception {
        String url = TestPostgres.database();
        CountDownLatch go = new CountDownLatch(1);
        TestNode heir = new TestNode("heir");
        heir.whenTaken = task -> uninterruptibly(go);
        Database database = nodes.database(url);
        TaskStore leaving = nodes.node(database, new TestNode("leaving"));
        for (int i = 0; i < 300; i++) {
            leaving.create(task("task-" + i, true), 1_000);
        }
        leaving.close();
        long future = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
        String other =
                "insert into mcp_node (space, name, steady, beat) values ('tasks', 'x', ?, ?)";
        database.engine()
                .write(s -> s.update(other, future, future) + s.update(other, future, future));

        nodes.node(database, heir);

        String held = "select count(*) from mcp_task where run = 2";
        await().until(() -> TestPostgres.number(url, held) > 0);
        assertThat(TestPostgres.number(url, held)).isEqualTo(100);
        go.countDown();
        await().until(() -> heir.taken.size() == 300);
    }

    private static long lastBeat(String url) {
        return TestPostgres.number(url, "select max(beat) from mcp_node where died is null");
    }

    private static void uninterruptibly(CountDownLatch latch) {
        await().until(() -> latch.getCount() == 0);
    }
}
