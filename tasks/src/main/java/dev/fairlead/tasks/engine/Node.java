package dev.fairlead.tasks.engine;

import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskEvent;
import dev.fairlead.tasks.TaskNode;
import dev.fairlead.tasks.TaskRun;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** What the store tells this node. */
final class Node implements TaskNode {
    private final String name;
    private final Duration retention;
    private final RunRegistry runs;
    private final LocalTasks locals;
    private final ChangePublisher changes;
    private final Audit audit;
    private final Consumer<TakenTask> poll;

    Node(
            String name,
            Duration retention,
            RunRegistry runs,
            LocalTasks locals,
            ChangePublisher changes,
            Audit audit,
            Consumer<TakenTask> poll) {
        this.name = name;
        this.retention = retention;
        this.runs = runs;
        this.locals = locals;
        this.changes = changes;
        this.audit = audit;
        this.poll = poll;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int freePlaces() {
        return runs.freePlaces();
    }

    @Override
    public Duration retention() {
        return retention;
    }

    @Override
    public void takeOver(List<TakenTask> tasks) {
        for (TakenTask taken : tasks) {
            audit.event(TaskEvent.Kind.TAKEN_OVER, taken.task());
            runs.takeOver(taken.task(), taken.origin());
            changes.changed(taken.task().id());
        }
    }

    @Override
    public void orphansEnded(List<StoredTask> tasks) {
        ended(TaskEvent.Kind.ORPHANED, tasks);
    }

    @Override
    public void expired(List<StoredTask> tasks) {
        ended(TaskEvent.Kind.EXPIRED, tasks);
    }

    private void ended(TaskEvent.Kind kind, List<StoredTask> tasks) {
        for (StoredTask task : tasks) {
            audit.event(kind, task);
            locals.find(task.id()).ifPresent(local -> local.end(task.state()));
            changes.changed(task.id());
        }
    }

    @Override
    public void lost(TaskRun run) {
        runs.stop(run, Reasons.ENDED);
    }

    @Override
    public void fenced() {
        runs.fence();
    }

    @Override
    public void poll(TakenTask parked) {
        poll.accept(parked);
    }

    @Override
    public Set<TaskRun> running() {
        return runs.running();
    }
}
