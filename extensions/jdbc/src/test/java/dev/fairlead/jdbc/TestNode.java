package dev.fairlead.jdbc;

import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskNode;
import dev.fairlead.tasks.TaskRun;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A node that keeps its notifications. */
final class TestNode implements TaskNode {
    /** The time of all tasks: no sweep finds one that has expired. */
    static final Clock CLOCK = Clock.fixed(Instant.parse("2100-01-01T00:00:00Z"), ZoneOffset.UTC);

    final BlockingQueue<TakenTask> taken = new LinkedBlockingQueue<>();
    final BlockingQueue<StoredTask> ended = new LinkedBlockingQueue<>();
    final BlockingQueue<StoredTask> expired = new LinkedBlockingQueue<>();
    final BlockingQueue<TakenTask> polled = new LinkedBlockingQueue<>();
    final Set<TaskRun> lost = ConcurrentHashMap.newKeySet();
    volatile int fenced;
    final Set<TaskRun> running = ConcurrentHashMap.newKeySet();
    volatile int freePlaces = 1_000_000;

    /** The first action with each task that it takes over. */
    volatile Consumer<TakenTask> whenTaken = task -> {};

    private final String name;
    private final Consumer<String> log;

    TestNode(String name) {
        this(name, line -> {});
    }

    TestNode(String name, Consumer<String> log) {
        this.name = name;
        this.log = log;
    }

    /** Waits for the next element of a queue, and removes it. */
    static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(60, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing within 60 s");
        }
        return next;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int freePlaces() {
        return freePlaces;
    }

    @Override
    public Duration retention() {
        return Duration.ofMinutes(5);
    }

    @Override
    public void takeOver(List<TakenTask> tasks) {
        tasks.forEach(task -> whenTaken.accept(task));
        freePlaces -= tasks.size();
        taken.addAll(tasks);
    }

    @Override
    public void orphansEnded(List<StoredTask> tasks) {
        ended.addAll(tasks);
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
        fenced++;
        log.accept("fenced");
    }

    @Override
    public void poll(TakenTask parked) {
        polled.add(parked);
    }

    @Override
    public Set<TaskRun> running() {
        return running;
    }
}
