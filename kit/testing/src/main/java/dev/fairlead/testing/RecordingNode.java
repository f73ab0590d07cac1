package dev.fairlead.testing;

import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskNode;
import dev.fairlead.tasks.TaskRun;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A node that records the reports of its store. Thread-safe. */
final class RecordingNode implements TaskNode {
    final List<TakenTask> taken = new CopyOnWriteArrayList<>();
    final List<StoredTask> orphans = new CopyOnWriteArrayList<>();
    final List<StoredTask> expired = new CopyOnWriteArrayList<>();
    final List<TaskRun> lost = new CopyOnWriteArrayList<>();
    final List<TakenTask> polled = new CopyOnWriteArrayList<>();
    final Set<TaskRun> running = ConcurrentHashMap.newKeySet();
    volatile Duration retention = Duration.ofMinutes(5);
    volatile int places = 10_000;

    /** The first action of the node with tasks that it takes over. */
    volatile Consumer<List<TakenTask>> whenTaken = tasks -> {};

    private final String name;

    RecordingNode(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int freePlaces() {
        return places - running.size();
    }

    @Override
    public Duration retention() {
        return retention;
    }

    @Override
    public void takeOver(List<TakenTask> tasks) {
        whenTaken.accept(tasks);
        tasks.forEach(task -> running.add(task.task().key()));
        taken.addAll(tasks);
    }

    @Override
    public void orphansEnded(List<StoredTask> tasks) {
        orphans.addAll(tasks);
    }

    @Override
    public void expired(List<StoredTask> tasks) {
        expired.addAll(tasks);
    }

    @Override
    public void lost(TaskRun run) {
        lost.add(run);
    }

    @Override
    public void fenced() {
        running.clear();
    }

    @Override
    public void poll(TakenTask parked) {
        polled.add(parked);
    }

    @Override
    public Set<TaskRun> running() {
        return Set.copyOf(running);
    }
}
