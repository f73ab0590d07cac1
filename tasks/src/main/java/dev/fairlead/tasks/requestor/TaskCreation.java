package dev.fairlead.tasks.requestor;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.CreateTaskResult;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.TaskId;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The creation of a task, on a thread of its own: an interrupt of the caller must not hit it, since
 * only its answer names the task that is to be cancelled then (ROOM-013).
 */
final class TaskCreation {
    private static final System.Logger LOGGER = System.getLogger(TaskCreation.class.getName());

    private final RemoteTasks tasks;
    private final RemoteTask task;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // guarded by lock
    private boolean answered;
    private @Nullable RuntimeException failure;
    private boolean abandoned;
    private boolean late;

    TaskCreation(RemoteTasks tasks, RemoteTask task) {
        this.tasks = tasks;
        this.task = task;
    }

    void run(RemoteTasks.Creation creation) {
        RuntimeException problem = null;
        try {
            switch (creation.send(token -> tasks.expectProgress(token, task))) {
                case Outcome.TaskCreated<RawJson> created -> task.created(created.task());
                case Outcome.Complete<RawJson> complete -> task.end(complete.result());
            }
        } catch (InterruptedException e) { // nobody knows this thread
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            problem = e;
            tasks.forget(task);
        }
        if (answered(problem)) {
            task.created().map(CreateTaskResult::task).ifPresent(made -> cancel(made.id()));
        }
    }

    /** Whether nobody waits for the answer any more. */
    private boolean answered(@Nullable RuntimeException problem) {
        lock.lock();
        try {
            answered = true;
            failure = problem;
            changed.signalAll();
            return abandoned;
        } finally {
            lock.unlock();
        }
    }

    private void cancel(TaskId id) {
        tasks.forget(task);
        try {
            tasks.peer().cancel(id);
            LOGGER.log(Level.DEBUG, "Task {0} was cancelled: its caller was gone", id);
        } catch (CallException e) {
            LOGGER.log(
                    Level.INFO,
                    "Task {0} goes on although its caller is gone: {1}",
                    id,
                    e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void await(Duration patience) throws InterruptedException {
        Timers.Timer timer = tasks.timers().schedule(patience, this::tooLate);
        lock.lock();
        try {
            while (!answered && !late) {
                changed.await();
            }
            if (!answered) {
                throw new RequestTimeoutException("no answer within " + patience);
            }
            if (failure != null) {
                throw failure;
            }
        } finally {
            abandoned = !answered;
            lock.unlock();
            timer.cancel();
        }
    }

    private void tooLate() {
        lock.lock();
        try {
            late = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
