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
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * The creation of a task, on a thread of its own: an interrupt of the caller must not hit it, since
 * only its answer names the task that is to be cancelled then.
 */
final class TaskCreation {
    private final RemoteTasks tasks;
    private final RemoteTask task;

    /** The answer of the peer, or the end of the caller's wait, whichever comes first. */
    private final CompletableFuture<Void> answer = new CompletableFuture<>();

    private volatile Timers.@Nullable Timer timer;

    TaskCreation(RemoteTasks tasks, RemoteTask task) {
        this.tasks = tasks;
        this.task = task;
    }

    void run(RemoteTasks.Creation creation) {
        boolean awaited;
        try {
            switch (creation.send(token -> tasks.expectProgress(token, task))) {
                case Outcome.TaskCreated<RawJson> created -> task.created(created.task());
                case Outcome.Complete<RawJson> complete -> task.end(complete.result());
                case Outcome.InputRequired<RawJson> required ->
                        throw new InvalidResultException(
                                "a request for a task was answered with questions", null);
            }
            awaited = answer.complete(null);
        } catch (InterruptedException e) { // no code interrupts this thread
            Thread.currentThread().interrupt();
            awaited = answer.complete(null);
        } catch (RuntimeException | Error e) { // on any failure: the caller waits for it
            tasks.forget(task);
            awaited = answer.completeExceptionally(e);
        }
        if (!awaited) {
            task.abandon();
        }
    }

    /** Waits for the answer; if the caller stops waiting, the task is cancelled. */
    void await(RemoteTasks.Patience patience) throws InterruptedException {
        leaveInTime(patience);
        try {
            answer.get();
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } catch (InterruptedException e) {
            if (!answer.cancel(false)) { // the answer came at the same moment
                task.abandon();
            }
            throw e;
        } finally { // here, as the thread that answers may come to it later
            Timers.Timer last = timer;
            if (last != null) {
                last.cancel();
            }
        }
    }

    /**
     * Ends the caller's wait when its time is over; if the time was extended, checks again then.
     */
    private void leaveInTime(RemoteTasks.Patience patience) {
        Duration left = patience.left();
        if (left.isPositive()) {
            Timers.Timer next = tasks.timers().schedule(left, () -> leaveInTime(patience));
            timer = next;
            answer.whenComplete((none, failure) -> next.cancel()); // if the wait has ended
        } else {
            answer.completeExceptionally(
                    new RequestTimeoutException(
                            "no answer within " + Durations.text(patience.limit())));
        }
    }

    private static RuntimeException failure(@Nullable Throwable cause) {
        return switch (cause) {
            case CallException call -> call.withCallerStack();
            case Error error -> throw error;
            case null, default -> (RuntimeException) Objects.requireNonNull(cause);
        };
    }
}
