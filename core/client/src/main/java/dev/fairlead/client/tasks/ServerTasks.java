package dev.fairlead.client.tasks;

import dev.fairlead.client.link.CallOptions;
import dev.fairlead.client.link.LinkContext;
import dev.fairlead.client.link.Links;
import dev.fairlead.client.link.OngoingCall;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.peer.PeerTasks;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.tasks.CancelTaskRequest;
import dev.fairlead.protocol.tasks.DetailedTask;
import dev.fairlead.protocol.tasks.GetTaskRequest;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tasks.TaskStatus;
import dev.fairlead.protocol.tasks.UpdateTaskRequest;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.tasks.TaskCancelledException;
import dev.fairlead.tasks.requestor.RemoteTask;
import dev.fairlead.tasks.requestor.RemoteTasks;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/** The tasks that this client has started at its server, in any session. */
public final class ServerTasks implements PeerTasks {
    // milliseconds between two looks at a task of the extension
    private static final long USUAL_POLL = 1_000;
    private static final long SHORTEST_POLL = 50;
    private static final long LONGEST_POLL = 60_000;

    private final Links links;
    private final Sender sender;
    private final Duration timeout;
    private final RemoteTasks tasks;
    private final TaskInputs inputs;
    private final Timers timers;

    /**
     * The semaphores, by task, that end the pauses between the polls of the callers that wait for
     * its end.
     */
    private final Map<TaskId, List<Semaphore>> looking = new ConcurrentHashMap<>();

    /** Sends the requests of tasks, through the interceptors. */
    @FunctionalInterface
    public interface Sender {
        /**
         * Sends a request and waits for its result.
         *
         * @param patience how long to wait without progress, however long that is in all; null for
         *     the usual timeout
         */
        <P extends RequestParams, R extends Result> R call(
                Method<P, R> method, P params, @Nullable Duration patience)
                throws InterruptedException;
    }

    public ServerTasks(Links links, Sender sender, LinkContext context) {
        this.links = links;
        this.sender = sender;
        this.timeout = context.settings().requestTimeout;
        this.timers = context.timers();
        this.inputs = new TaskInputs(context.inputs(), timers);
        this.tasks = new RemoteTasks(this, timers);
    }

    public RemoteTasks all() {
        return tasks;
    }

    public RemoteTask resume(TaskId id) {
        return tasks.resume(id);
    }

    /**
     * Waits for the end of a task that only this caller uses, for as long as its call may take;
     * then the task is cancelled. The time in which handlers answer for the task does not count.
     */
    public RawJson await(RemoteTask task, CallOptions options) throws InterruptedException {
        OngoingCall call = options.ongoing();
        TaskId id = task.id().orElseThrow();
        Duration answered = Duration.ZERO;
        try {
            while (true) {
                Duration left = call.left(Methods.CALL_TOOL.name());
                try {
                    return call.counted(() -> task.await(left, options.listener));
                } catch (RequestTimeoutException e) {
                    Duration now = inputs.answering(id);
                    if (now.compareTo(answered) <= 0) { // also where the task has just ended
                        throw e;
                    }
                    call.spend(answered.minus(now));
                    answered = now;
                }
            }
        } catch (InterruptedException | RequestTimeoutException e) {
            task.abandon();
            throw e;
        } catch (TaskInputs.HandlerFailedException e) {
            task.abandon(); // it waits for an answer that does not come
            throw e.forCaller();
        }
    }

    /** The result of a tool as it came. */
    public CallToolResult read(RawJson result) {
        return links.known().face().readResult(Methods.CALL_TOOL, result);
    }

    // ---- the server, by the extension for tasks

    /** Returns whether the agreed revision has a request. */
    private boolean has(Method<?, ?> method) throws InterruptedException {
        return links.current().face().has(method);
    }

    @Override
    public Task get(TaskId id) throws InterruptedException {
        return has(Methods.GET_DETAILED_TASK) ? look(id).task() : PeerTasks.super.get(id);
    }

    private DetailedTask look(TaskId id) throws InterruptedException {
        DetailedTask task = send(Methods.GET_DETAILED_TASK, new GetTaskRequest(id), null);
        if (task.status().isTerminal()) {
            inputs.forget(id);
        }
        return task;
    }

    /**
     * {@inheritDoc} The extension has no request that waits: the task is polled, and its input
     * requests are answered.
     */
    @Override
    public RawJson result(TaskId id, @Nullable Duration patience) throws InterruptedException {
        if (!has(Methods.GET_DETAILED_TASK)) {
            return PeerTasks.super.result(id, patience);
        }
        Duration limit = patience == null ? timeout : patience;
        Semaphore reasons = new Semaphore(0);
        looking.merge(
                id,
                List.of(reasons),
                (before, added) -> Stream.concat(before.stream(), added.stream()).toList());
        try {
            return result(id, limit, reasons);
        } finally {
            looking.computeIfPresent(
                    id,
                    (task, all) -> {
                        List<Semaphore> others =
                                all.stream().filter(other -> other != reasons).toList();
                        return others.isEmpty() ? null : others;
                    });
        }
    }

    private RawJson result(TaskId id, Duration limit, Semaphore reasons)
            throws InterruptedException {
        long started = timers.nanoTime();
        Duration answered = inputs.answering(id);
        while (true) {
            reasons.drainPermits();
            DetailedTask task = look(id);
            if (task.status().isTerminal()) {
                tasks.status(task.task()); // listeners get no change after the outcome
            }
            switch (task.status()) {
                case COMPLETED -> {
                    return result(task);
                }
                case FAILED ->
                        throw new JsonRpcException(error(task), null)
                                .answering(Methods.CALL_TOOL.name());
                case CANCELLED -> throw new TaskCancelledException(id, task.statusMessage(), null);
                case INPUT_REQUIRED, WORKING ->
                        inputs.answer(task, links.known().face().revision(), this::sendAnswers);
            }
            Duration waited =
                    Duration.ofNanos(timers.nanoTime() - started)
                            .minus(inputs.answering(id).minus(answered));
            if (waited.compareTo(limit) > 0) {
                throw new RequestTimeoutException("task " + id + " has not ended in time");
            }
            tasks.awaitChanges(id);
            pause(task, reasons);
        }
    }

    /** Takes {@code notifications/tasks}: a reason to look, and no more. */
    public void changed(DetailedTask task) {
        tasks.status(task.task());
        if (task.status() != TaskStatus.WORKING) {
            wake(task.id());
        }
    }

    /**
     * Looks at tasks whose changes may have been missed, as far as they are awaited. Returns at
     * once.
     *
     * @param ids as the server sent them
     */
    public void look(Collection<String> ids) {
        for (TaskId task : tasks.awaited()) {
            if (ids.contains(task.value())) {
                tasks.look(task);
                wake(task);
            }
        }
    }

    private void wake(TaskId id) {
        looking.getOrDefault(id, List.of()).forEach(Semaphore::release);
    }

    @Override
    public void awaitedChanged() {
        links.changesWanted();
    }

    private void sendAnswers(TaskId id, JsonObject answers) throws InterruptedException {
        send(Methods.UPDATE_TASK, new UpdateTaskRequest(id, answers), null);
    }

    private static RawJson result(DetailedTask task) {
        RawJson result = task.result();
        if (result == null) {
            throw new InvalidResultException(
                    "task " + task.id() + " is completed and has no result", null);
        }
        return result;
    }

    private static JsonRpcError error(DetailedTask task) {
        JsonRpcError error = task.error();
        if (error == null) {
            throw new InvalidResultException(
                    "task " + task.id() + " has failed and has no error", null);
        }
        return error;
    }

    /** Waits for as long as the server suggests, within bounds, or until there is a reason. */
    private void pause(DetailedTask task, Semaphore reasons) throws InterruptedException {
        Long suggested = task.pollIntervalMs();
        long wait = suggested == null ? USUAL_POLL : suggested;
        Timers.Timer timer =
                timers.schedule(
                        Duration.ofMillis(Math.clamp(wait, SHORTEST_POLL, LONGEST_POLL)),
                        reasons::release);
        try {
            reasons.acquire();
        } finally {
            timer.cancel();
        }
    }

    @Override
    public Task cancel(TaskId id) throws InterruptedException {
        if (!has(Methods.REQUEST_TASK_CANCELLATION)) {
            return PeerTasks.super.cancel(id);
        }
        send(Methods.REQUEST_TASK_CANCELLATION, new CancelTaskRequest(id), null);
        return get(id);
    }

    // ---- the server

    @Override
    public <P extends RequestParams, R extends Result> R send(
            Method<P, R> method, P params, @Nullable Duration patience)
            throws InterruptedException {
        return sender.call(method, params, patience);
    }

    @Override
    public boolean isLost() {
        return links.isLost();
    }
}
