package dev.fairlead.tasks.requestor;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.CreateTaskResult;
import dev.fairlead.protocol.Task;
import dev.fairlead.protocol.TaskStatus;
import dev.fairlead.tasks.TaskCancelledException;
import dev.fairlead.tasks.TaskExpiredException;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.Optional;

/**
 * Watches one task on a thread of its own until it has ended.
 *
 * <p>What it decides rests on answers of the peer alone. An error in answer to {@code tasks/result}
 * is the outcome of the task, or says that the request itself failed: {@code tasks/get} tells which
 * of the two. Failures are borne for a while, since a task outlives connections.
 */
final class TaskWatch implements Runnable {
    /** How often a peer may refuse {@code tasks/result} for a task that has not ended. */
    private static final int REFUSALS = 3;

    private static final System.Logger LOGGER = System.getLogger(TaskWatch.class.getName());
    private static final JsonValue CANCELLED = JsonValue.of("cancelled");

    private final TaskPeer peer;
    private final RemoteTask task;
    private final Lifetime lifetime;
    private int failures; // in a row, while the task goes on
    private int failedFetches; // since it has ended
    private int refusals;
    private @Nullable Task seen; // last
    private boolean resting; // after a refusal, until the next poll is due

    TaskWatch(RemoteTasks tasks, RemoteTask task) {
        this.peer = tasks.peer();
        this.task = task;
        this.lifetime = new Lifetime(tasks.timers().clock());
    }

    @Override
    public void run() {
        try {
            RawJson result = watch();
            LOGGER.log(Level.DEBUG, "Task {0} has given its result", task.name());
            task.end(result);
        } catch (InterruptedException e) { // who interrupts has ended it, or is about to
            task.fail(new ConnectionException("the task is watched no longer"));
        } catch (CallException e) {
            LOGGER.log(Level.DEBUG, "Task {0} gives no result: {1}", task.name(), e.getMessage());
            task.fail(e);
        } catch (RuntimeException e) {
            LOGGER.log(Level.WARNING, "Task " + task.name() + " cannot be watched", e);
            task.fail(e);
        }
    }

    private RawJson watch() throws InterruptedException {
        seen = first();
        while (true) {
            if (isToBeFetched()) {
                Optional<RawJson> result = fetch();
                if (result.isPresent()) {
                    return result.get();
                }
            } else {
                rest();
                if (!isToBeFetched()) {
                    seen = look();
                }
            }
        }
    }

    private Task first() throws InterruptedException {
        Optional<Task> created = task.created().map(CreateTaskResult::task);
        return created.isPresent() ? checked(created.get()) : look();
    }

    private TaskStatus status() {
        return Objects.requireNonNull(seen).status();
    }

    /** Whether to wait in {@code tasks/result}, and not to poll (TASK-057, ROOM-011). */
    private boolean isToBeFetched() {
        boolean waited = status() == TaskStatus.INPUT_REQUIRED || task.isOnlyAwaited();
        return status().isTerminal() || (waited && !resting && refusals < REFUSALS);
    }

    /** Waits for the time of the next poll, or for a reason not to wait for it. */
    private void rest() throws InterruptedException {
        task.pause(
                Waits.untilPoll(task.known().orElse(seen)),
                () -> task.isHinted() || isToBeFetched());
        resting = false;
    }

    // ---- tasks/result

    /** Waits for the outcome; empty if there is none, and the task was looked at again. */
    private Optional<RawJson> fetch() throws InterruptedException {
        boolean ended = status().isTerminal();
        try {
            return Optional.of(peer.result(task.name(), ended ? null : Waits.RESULT));
        } catch (JsonRpcException e) {
            judge(e);
            return Optional.empty();
        } catch (RequestTimeoutException e) {
            if (ended) {
                bear(e, ++failedFetches);
            }
        } catch (ConnectionException e) {
            bear(e, ended ? ++failedFetches : ++failures);
        }
        seen = look();
        return Optional.empty();
    }

    /** Throws the error if it is the outcome of the task. */
    private void judge(JsonRpcException error) throws InterruptedException {
        if (saysCancelled(error)) {
            throw new TaskCancelledException(
                    task.name(), Objects.requireNonNull(seen).statusMessage(), error);
        }
        if (!status().isTerminal()) {
            seen = look();
        }
        if (status() == TaskStatus.FAILED) {
            throw error;
        }
        if (status() == TaskStatus.COMPLETED) {
            bear(error, ++failedFetches);
            seen = look();
        } else {
            refusals++;
            resting = true;
        }
    }

    /** As a peer answers that has no result because the task was cancelled (ROOM-008). */
    private boolean saysCancelled(JsonRpcException error) {
        return error.data() instanceof JsonObject data
                && CANCELLED.equals(data.get("status"))
                && JsonValue.of(task.name().value()).equals(data.get("taskId"));
    }

    // ---- tasks/get

    /** The task as it stands now; throws if it was cancelled or is gone. */
    private Task look() throws InterruptedException {
        while (true) {
            try {
                Task seen = peer.get(task.name());
                failures = 0;
                task.told(seen);
                return checked(seen);
            } catch (JsonRpcException e) {
                if (e.code() == ErrorCode.INVALID_PARAMS) {
                    throw new TaskExpiredException(task.name(), e);
                }
                bear(e, ++failures);
            } catch (ConnectionException | RequestTimeoutException e) {
                bear(e, ++failures);
            }
        }
    }

    private Task checked(Task seen) {
        if (seen.status() == TaskStatus.CANCELLED) {
            throw RemoteTask.cancelled(seen);
        }
        if (lifetime.isOver(seen)) {
            throw new TaskExpiredException(seen.id());
        }
        return seen;
    }

    // ---- failures

    /** Waits before the next attempt, unless there is none. */
    private void bear(CallException failure, int inARow) throws InterruptedException {
        if (peer.isLost()) {
            throw new ConnectionException(
                    "the connection is lost, so that task "
                            + task.name()
                            + " cannot be watched any more; it may go on",
                    failure);
        }
        if (inARow >= Waits.FAILURES) {
            throw failure;
        }
        LOGGER.log(
                Level.DEBUG,
                "Task {0} could not be looked at ({1} in a row): {2}",
                task.name(),
                inARow,
                failure.getMessage());
        task.pause(Waits.afterFailures(inARow), () -> false);
    }
}
