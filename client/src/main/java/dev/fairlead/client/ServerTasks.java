package dev.fairlead.client;

import dev.fairlead.json.RawJson;
import dev.fairlead.peer.PeerTasks;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.tasks.CreateTaskResult;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tasks.TaskMetadata;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.tasks.requestor.RemoteTask;
import dev.fairlead.tasks.requestor.RemoteTasks;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The tasks that this client has started at its server, by whatever session. */
final class ServerTasks implements PeerTasks {
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
    public <P extends RequestParams, R extends Result> R send(
            Method<P, R> method, P params, @Nullable Duration patience)
            throws InterruptedException {
        CallOptions options =
                patience == null ? connection.defaults() : new CallOptions(patience, FOREVER);
        return connection.pipeline().call(method, params, options);
    }

    @Override
    public boolean isLost() {
        return connection.isLost();
    }
}
