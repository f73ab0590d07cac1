package dev.fairlead.client;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.CallToolRequest;
import dev.fairlead.protocol.CallToolResult;
import dev.fairlead.protocol.CancelTaskRequest;
import dev.fairlead.protocol.CreateTaskResult;
import dev.fairlead.protocol.GetTaskPayloadRequest;
import dev.fairlead.protocol.GetTaskRequest;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Task;
import dev.fairlead.protocol.TaskId;
import dev.fairlead.protocol.TaskMetadata;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.requestor.RemoteTask;
import dev.fairlead.tasks.requestor.RemoteTasks;
import dev.fairlead.tasks.requestor.TaskPeer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The tasks that this client has started at its server, by whatever session. */
final class ServerTasks implements TaskPeer {
    private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    private final ClientConnection connection;
    private final RemoteTasks tasks;

    ServerTasks(ClientConnection connection, Timers timers) {
        this.connection = connection;
        this.tasks = new RemoteTasks(this, timers);
    }

    RemoteTasks all() {
        return tasks;
    }

    // ---- starting

    /**
     * Calls a tool as a task. The interceptors run on this thread.
     *
     * @param listening whether somebody wants to hear progress
     */
    StartedTool start(CallToolRequest call, CallOptions options, boolean listening)
            throws InterruptedException {
        CallToolRequest asked = call.task() == null ? call.withTask(new TaskMetadata()) : call;
        return connection
                .pipeline()
                .start(
                        asked,
                        (session, request) ->
                                tasks.create(
                                        token ->
                                                connection
                                                        .pipeline()
                                                        .on(
                                                                session,
                                                                on ->
                                                                        on.callAsTask(
                                                                                request,
                                                                                options,
                                                                                listening
                                                                                        ? token
                                                                                        : null)),
                                        options.timeout()));
    }

    RemoteTask resume(TaskId id) {
        return tasks.resume(id);
    }

    /** What the server answered when it was asked for a task. */
    Outcome<CallToolResult> outcome(RemoteTask started) {
        Optional<CreateTaskResult> created = started.created();
        return created.isPresent()
                ? new Outcome.TaskCreated<>(created.get())
                : Outcome.complete(read(started.result().orElseThrow()));
    }

    /** The result of a tool as it came. */
    CallToolResult read(RawJson result) {
        return connection.known().face().readResult(Methods.CALL_TOOL, result);
    }

    // ---- the server

    @Override
    public Task get(TaskId id) throws InterruptedException {
        return connection
                .pipeline()
                .call(Methods.GET_TASK, new GetTaskRequest(id), connection.defaults());
    }

    @Override
    public RawJson result(TaskId id, @Nullable Duration patience) throws InterruptedException {
        CallOptions options =
                patience == null ? connection.defaults() : new CallOptions(patience, FOREVER);
        return connection
                .pipeline()
                .call(Methods.GET_TASK_PAYLOAD, new GetTaskPayloadRequest(id), options)
                .toRawJson();
    }

    @Override
    public Task cancel(TaskId id) throws InterruptedException {
        return connection
                .pipeline()
                .call(Methods.CANCEL_TASK, new CancelTaskRequest(id), connection.defaults());
    }

    @Override
    public boolean isLost() {
        return connection.isLost();
    }
}
