package dev.fairlead.jdbc;

import dev.fairlead.tasks.TaskNode;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.Tasks;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** Nodes of a test, and the databases that they share; all are closed with it. */
final class OpenNodes implements AutoCloseable {
    /** Options of nodes whose heartbeats a test waits for, and that live until they leave. */
    static final DatabaseOptions QUICK =
            DatabaseOptions.DEFAULT.withLiveness(Duration.ofMillis(50), Duration.ofMinutes(1));

    /** An interval of sweeps that a test waits for. */
    static final Duration SWEEP = Duration.ofMillis(50);

    private final Duration beat;
    private final Duration lease;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    OpenNodes(Duration beat, Duration lease) {
        this.beat = beat;
        this.lease = lease;
    }

    <T extends AutoCloseable> T opened(T closeable) {
        open.push(closeable);
        return closeable;
    }

    Database database(String url) {
        return opened(NodeProcess.open(url, beat, lease));
    }

    TaskStore node(Database database, TaskNode node) {
        return node(JdbcTasks.on(database), node);
    }

    TaskStore node(Tasks tasks, TaskNode node) {
        TaskStore store = opened(tasks.parts().store());
        store.open(node, TestNode.CLOCK);
        return store;
    }

    @Override
    public void close() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }
}
