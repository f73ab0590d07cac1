package dev.fairlead.tasks.requestor;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.time.Durations;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The creation of a task, on a thread of its own: an interrupt of the caller must not hit it, since
 * only its answer names the task that is to be cancelled then.
 */
final class TaskCreation {
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
                case Outcome.InputRequired<RawJson> required ->
                        throw new InvalidResultException(
                                "a request for a task was answered with questions", null);
            }
        } catch (InterruptedException e) { // no code interrupts this thread
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            problem = e;
            tasks.forget(task);
        }
        if (answered(problem)) {
            task.abandon();
        }
    }

    /** Whether no caller waits for the answer any more. */
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

    /**
     * Waits for the answer; a caller that stops waiting, at whatever moment, has the task
     * cancelled.
     */
    void await(Duration patience) throws InterruptedException {
        Timers.Timer timer = tasks.timers().schedule(patience, this::tooLate);
        boolean taken = false;
        try {
            awaitAnswer(patience);
            taken = true;
        } finally {
            timer.cancel();
            if (!taken) {
                leave();
            }
        }
    }

    private void awaitAnswer(Duration patience) throws InterruptedException {
        lock.lock();
        try {
            while (!answered && !late) {
                changed.await();
            }
            if (!answered) {
                throw new RequestTimeoutException("no answer within " + Durations.text(patience));
            }
            if (failure != null) {
                throw failure instanceof CallException call ? call.withCallerStack() : failure;
            }
        } finally {
            lock.unlock();
        }
    }

    /** The answer may have come in the same moment. */
    private void leave() {
        boolean there;
        lock.lock();
        try {
            abandoned = true;
            there = answered;
        } finally {
            lock.unlock();
        }
        if (there) {
            task.abandon();
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
