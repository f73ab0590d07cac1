package dev.fairlead.jdbc;

import dev.fairlead.tasks.TaskNode;
import dev.fairlead.tasks.TaskRun;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A node that runs tasks, and the runs that it holds. */
final class TaskMembership extends Membership {
    private final TaskNode node;
    private final Set<TaskRun> held;

    private TaskMembership(StoreAccess access, NodeTable nodes, TaskNode node, Set<TaskRun> held) {
        super(
                access,
                nodes,
                node.name(),
                () -> {
                    held.clear();
                    node.fenced();
                });
        this.node = node;
        this.held = held;
    }

    static TaskMembership join(StoreAccess access, NodeTable nodes, TaskNode node) {
        return new TaskMembership(access, nodes, node, ConcurrentHashMap.newKeySet());
    }

    TaskNode node() {
        return node;
    }

    void hold(TaskRun run) {
        held.add(run);
    }

    /** Returns whether this node held the run until now. */
    boolean drop(TaskRun run) {
        return held.remove(run);
    }

    boolean holds(TaskRun run) {
        return held.contains(run);
    }
}
