package dev.fairlead.cli.ask;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.tasks.RelatedTask;
import dev.fairlead.protocol.tasks.TaskId;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The call or task that the user waits for. A question that belongs to a task is answered only
 * while the user waits for that task: an answer cannot be taken back, and a user who returns to the
 * task later can give a better one. Whether a call is a task underneath, here or further away, is
 * unknown; so while the user waits for a call, questions of all tasks are answered but of those
 * that the user has left. Thread-safe.
 */
public final class Attention {
    private static final int MAX_LEFT = 1_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // guarded by lock
    private final LinkedHashSet<TaskId> left = new LinkedHashSet<>();
    private @Nullable TaskId task;
    private boolean call;

    /** The user waits for this task from now on. */
    public void turnTo(TaskId awaited) {
        leave(awaited); // sooner or later
        set(awaited, false);
    }

    /** The user waits for a call from now on. */
    public void turnToCall() {
        set(null, true);
    }

    /** The user waits for nothing any longer. */
    public void lapse() {
        set(null, false);
    }

    /** Records a task that the user has left running; of too many the oldest are forgotten. */
    public void leave(TaskId known) {
        lock.lock();
        try {
            left.addLast(known);
            if (left.size() > MAX_LEFT) {
                left.removeFirst();
            }
        } finally {
            lock.unlock();
        }
    }

    private void set(@Nullable TaskId awaited, boolean called) {
        lock.lock();
        try {
            task = awaited;
            call = called;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isOn(TaskId asking) {
        lock.lock();
        try {
            return asking.equals(task) || (call && !left.contains(asking));
        } finally {
            lock.unlock();
        }
    }

    /** Blocks while a question belongs to a task that the user does not wait for. */
    public void await(@Nullable JsonObject metaOfQuestion) throws InterruptedException {
        Optional<TaskId> asking = RelatedTask.of(metaOfQuestion);
        if (asking.isPresent()) {
            await(asking.get());
        }
    }

    void await(TaskId asking) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!isOn(asking)) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }
}
