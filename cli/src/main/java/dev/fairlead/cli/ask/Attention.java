package dev.fairlead.cli.ask;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.RelatedTask;
import dev.fairlead.protocol.TaskId;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which task the user waits for. A question that belongs to a task is answered only meanwhile: an
 * answer cannot be taken back, and whoever comes back to the task later can give a better one.
 * Thread-safe.
 */
public final class Attention {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable TaskId task; // guarded by lock

    /** The user waits for this task from now on. */
    public void turnTo(TaskId awaited) {
        set(awaited);
    }

    /** The user waits for no task any longer. */
    public void lapse() {
        set(null);
    }

    private void set(@Nullable TaskId awaited) {
        lock.lock();
        try {
            task = awaited;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isOn(TaskId asking) {
        lock.lock();
        try {
            return asking.equals(task);
        } finally {
            lock.unlock();
        }
    }

    /** Blocks while a question belongs to a task that nobody waits for. */
    public void await(@Nullable JsonObject metaOfQuestion) throws InterruptedException {
        Optional<TaskId> asking = RelatedTask.of(metaOfQuestion);
        if (asking.isPresent()) {
            await(asking.get());
        }
    }

    void await(TaskId asking) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!asking.equals(task)) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }
}
