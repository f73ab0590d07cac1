package dev.fairlead.tasks.requestor;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.tasks.CreateTaskResult;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskStatus;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.tasks.TaskCancelledException;
import dev.fairlead.tasks.TaskExpiredException;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * Watches one task on a thread of its own until it has ended.
 *
 * <p>It looks at the task by {@code tasks/get} when the poll interval of the peer is over, and
 * waits in {@code tasks/result} where a caller waits for the outcome, or where the task needs input
 * from this requestor: never both at once, and never more often because something fails.
 *
 * <p>Its decisions rest on answers of the peer alone. An error in answer to {@code tasks/result} is
 * the outcome of the task, or means that the request itself failed, see {@link #judge}. A peer that
 * cannot be reached, or fails, is asked again as long as the task lives.
 */
final class TaskWatch implements Runnable {
    private static final System.Logger LOGGER = System.getLogger(TaskWatch.class.getName());
    private static final JsonValue CANCELLED = JsonValue.of("cancelled");

    /** The length up to which a status message is taken to be whole. */
    private static final int SHORT = 100;

    private final RemoteTasks tasks;
    private final TaskPeer peer;
    private final RecentLooks looks;
    private final RemoteTask task;
    private final RemoteTaskState state;
    private final Clock clock;
    private final Lifetime lifetime;
    private @Nullable Task seen; // last
    private Instant nextLook;
    private boolean looksFirst; // before the next fetch
    private Instant nextFetch;
    private Instant statusSince; // when its status was seen first
    private int failedLooks; // in a row
    private int failedFetches; // in a row, at the same status
    private @Nullable JsonRpcException doubtful; // an error that may be the outcome

    TaskWatch(RemoteTasks tasks, RemoteTask task, RemoteTaskState state) {
        this.tasks = tasks;
        this.peer = tasks.peer();
        this.looks = tasks.looks();
        this.task = task;
        this.state = state;
        this.clock = tasks.timers().clock();
        this.lifetime = new Lifetime(clock);
        this.nextLook = clock.instant();
        this.nextFetch = nextLook;
        this.statusSince = nextLook;
    }

    @Override
    public void run() {
        try {
            watch();
        } catch (InterruptedException e) { // the interrupting thread has ended it, or is about to
            task.fail(new ConnectionException("the task is watched no longer"));
        } catch (CallException e) {
            LOGGER.log(
                    Level.DEBUG,
                    "Task {0} gives no result: {1}",
                    task.printable(),
                    Printable.excerpt(e.getMessage()));
            task.fail(e);
        } catch (RuntimeException e) {
            LimitedLog.failed(
                    LOGGER, Level.WARNING, "", e, "Task {0} cannot be watched", task.printable());
            task.fail(e);
        } catch (Error e) { // callers wait for the end of the watch
            LimitedLog.failed(
                    LOGGER, Level.ERROR, "", e, "Task {0} cannot be watched", task.printable());
            task.fail(new IllegalStateException("the task cannot be watched: " + e, e));
        } finally {
            tasks.forget(task); // it may have ended just before its watch began
        }
    }

    private void watch() throws InterruptedException {
        task.created()
                .map(CreateTaskResult::task)
                .or(() -> looks.find(task.name()).map(RecentLooks.Look::task))
                .ifPresent(this::see);
        while (!state.hasEnded()) {
            if (isLookDue()) {
                look();
            } else if (isFetchDue()) {
                fetch();
            } else {
                tasks.awaitChanges(task.name());
                state.pause(untilDue(), () -> state.isHinted() || isFetchDue());
            }
        }
    }

    private Duration untilDue() {
        Instant look = nextLook();
        boolean fetches = isToBeFetched() && nextFetch.isBefore(look);
        return Duration.between(clock.instant(), fetches ? nextFetch : look);
    }

    // ---- tasks/get

    private boolean isLookDue() {
        return state.isHinted() || !clock.instant().isBefore(nextLook());
    }

    /**
     * Returns the time of the next look: never before the poll interval is over, after a look of
     * any watch.
     */
    private Instant nextLook() {
        Instant earliest = looks.find(task.name()).map(RecentLooks.Look::next).orElse(Instant.MIN);
        return nextLook.isAfter(earliest) ? nextLook : earliest;
    }

    /** Asks for the state of the task; throws if it was cancelled or is gone. */
    private void look() throws InterruptedException {
        state.hint(false);
        looksFirst = false;
        Task now;
        try {
            now = peer.get(task.name());
        } catch (JsonRpcException e) {
            if (e.code() == ErrorCode.INVALID_PARAMS) {
                throw new TaskExpiredException(task.name(), e);
            }
            if (e.code() == ErrorCode.METHOD_NOT_FOUND) { // for good
                throw e;
            }
            unseen(e);
            return;
        } catch (ConnectionException | RequestTimeoutException e) {
            unseen(e);
            return;
        }
        failedLooks = 0;
        state.troubled(null);
        task.answered(now);
        see(now);
    }

    private void see(Task now) {
        if (now.status() == TaskStatus.CANCELLED) {
            throw RemoteTask.cancelled(now);
        }
        if (lifetime.isStuck(now)) {
            throw new TaskExpiredException(now.id());
        }
        if (!now.status().isTerminal()) {
            doubtful = null;
        } else if (doubtful != null && hasFailedWith(now, doubtful.error())) {
            throw doubtful;
        }
        if (seen == null || seen.status() != now.status()) {
            failedFetches = 0;
            statusSince = clock.instant();
            nextFetch = statusSince;
        }
        seen = now;
        nextLook = clock.instant().plus(untilPoll());
    }

    private Duration untilPoll() {
        return WatchLimits.untilPoll(task.known().orElse(seen));
    }

    private void unseen(CallException failure) {
        tolerate(failure);
        if (lifetime.isOver()) {
            throw new ConnectionException(
                    "gave up asking for task "
                            + task.name()
                            + "; last error: "
                            + failure.getMessage(),
                    failure);
        }
        Duration poll = untilPoll();
        Duration retry = WatchLimits.afterFailures(++failedLooks);
        nextLook = clock.instant().plus(poll.compareTo(retry) > 0 ? poll : retry);
    }

    // ---- tasks/result

    private TaskStatus status() {
        return Objects.requireNonNull(seen).status();
    }

    /** Returns whether to wait in {@code tasks/result}, which needs a reachable peer. */
    private boolean isToBeFetched() {
        return seen != null
                && failedLooks == 0
                && !looksFirst
                && (status().isTerminal()
                        || (status() == TaskStatus.INPUT_REQUIRED && isAnswered())
                        || task.isOnlyAwaited());
    }

    /**
     * Returns whether this requestor answers the questions of the task. Listeners alone only
     * observe a task that was started elsewhere: its questions are for its own requestor.
     */
    private boolean isAnswered() {
        return task.created().isPresent() || state.isAwaited();
    }

    private boolean isFetchDue() {
        return isToBeFetched() && !clock.instant().isBefore(nextFetch);
    }

    /** Waits for the outcome; throws it if it is an error. */
    private void fetch() throws InterruptedException {
        Instant begun = clock.instant();
        try {
            RawJson result =
                    peer.result(task.name(), status().isTerminal() ? null : WatchLimits.RESULT);
            LOGGER.log(Level.DEBUG, "Task {0} has given its result", task.printable());
            task.end(result);
        } catch (JsonRpcException e) {
            judge(e, begun);
        } catch (ConnectionException | RequestTimeoutException e) {
            unfetched(e, begun);
        }
    }

    /**
     * Schedules the next attempt: the later the more have failed, except for those that lasted
     * long.
     */
    private void unfetched(CallException failure, Instant begun) {
        tolerate(failure);
        Instant now = clock.instant();
        boolean ended = status().isTerminal();
        boolean lasted = !now.isBefore(begun.plus(WatchLimits.LONGEST_RETRY));
        failedFetches = lasted && !ended ? 0 : failedFetches + 1;
        if (ended && (isGivenUp(failure) || now.isAfter(statusSince.plus(WatchLimits.OUTAGE)))) {
            throw failure;
        }
        nextFetch = failedFetches == 0 ? now : now.plus(WatchLimits.afterFailures(failedFetches));
    }

    private boolean isGivenUp(CallException failure) {
        boolean passes = failure instanceof ConnectionException || isRetryable(failure);
        return !passes && failedFetches >= WatchLimits.REFUSALS;
    }

    /**
     * Throws an error if it is the outcome, which is possible only for a task that has failed. Even
     * then it can mean that the request was refused, by a limit or because a store is down; see
     * {@link #isOutcome}, where {@code again} means that the peer repeated it after a look at the
     * task.
     */
    private void judge(JsonRpcException error, Instant begun) {
        if (isCancellation(error)) {
            throw new TaskCancelledException(
                    task.name(), Objects.requireNonNull(seen).statusMessage(), error);
        }
        boolean again = doubtful != null && isSame(error.error(), doubtful.error());
        if (status() == TaskStatus.FAILED && isOutcome(error.error(), again)) {
            throw error;
        }
        doubtful = error;
        unfetched(error, begun);
        if (!again && (status().isTerminal() || failedFetches == 1)) {
            nextLook = clock.instant();
            looksFirst = true;
        }
    }

    /** Returns whether two errors are equal, apart from the time after which to retry. */
    private static boolean isSame(JsonRpcError error, JsonRpcError other) {
        return RetryableError.isRetryable(error) && RetryableError.isRetryable(other)
                ? error.code() == other.code() && error.message().equals(other.message())
                : error.equals(other);
    }

    /**
     * Returns whether an error is the outcome of the task, which has failed. Peers of this library
     * send the message of the outcome as status message, and mark a refusal as {@link
     * RetryableError}. With others codes decide: those that JSON-RPC reserves may concern the
     * request itself, so that they count as the outcome the second time; but a peer that is too
     * busy to take requests may answer repeatedly that they are invalid.
     */
    private boolean isOutcome(JsonRpcError error, boolean again) {
        if (hasFailedWith(Objects.requireNonNull(seen), error)) {
            return true;
        }
        boolean reserved = error.code() >= -32768 && error.code() <= -32000;
        boolean doubtless = !reserved || (again && error.code() != ErrorCode.INVALID_REQUEST);
        return doubtless && !RetryableError.isRetryable(error);
    }

    /**
     * Returns whether the status message of a failed task, which may be cut, is that of an error.
     */
    private static boolean hasFailedWith(Task task, JsonRpcError error) {
        String message = task.statusMessage();
        if (task.status() != TaskStatus.FAILED || message == null || message.isBlank()) {
            return false;
        }
        boolean cut = message.length() > SHORT && message.endsWith("…");
        return message.equals(error.message())
                || (cut && error.message().startsWith(message.substring(0, message.length() - 1)));
    }

    private static boolean isRetryable(CallException failure) {
        return failure instanceof JsonRpcException error
                && RetryableError.isRetryable(error.error());
    }

    /** Returns whether an error reports that there is no result because the task was cancelled. */
    private boolean isCancellation(JsonRpcException error) {
        return error.data() instanceof JsonObject data
                && CANCELLED.equals(data.get("status"))
                && JsonValue.of(task.name().value()).equals(data.get("taskId"));
    }

    // ---- failures

    /** Tolerates a failure; throws if the peer is gone for good. */
    private void tolerate(CallException failure) {
        if (peer.isLost()) {
            throw new ConnectionException(
                    "the connection is lost, so that task "
                            + task.name()
                            + " cannot be watched any more; it may go on",
                    failure);
        }
        state.troubled(failure);
        LOGGER.log(
                Level.DEBUG,
                "Task {0} gives no answer: {1}",
                task.printable(),
                Printable.excerpt(failure.getMessage()));
    }
}
