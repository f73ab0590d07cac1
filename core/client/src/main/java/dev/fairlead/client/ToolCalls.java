package dev.fairlead.client;

import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;
import dev.fairlead.protocol.tasks.TaskMetadata;
import dev.fairlead.protocol.tasks.TasksExtension;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.tasks.requestor.RemoteTask;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Optional;

/**
 * Calls a tool the way it wants: plainly, or as a task that the caller does not see. Which it is is
 * known from the definition of the tool, and from what the server answers where that was not read
 * or is out of date.
 *
 * @param requests with the options of the call
 */
record ToolCalls(ClientConnection connection, Requests requests, CallOptions options) {
    /**
     * Calls a tool; as a task where the request says so or the tool requires it.
     *
     * @param metadata for a task that the tool requires; null for none
     */
    CallToolResult call(CallToolRequest request, @Nullable TaskMetadata metadata)
            throws InterruptedException {
        try {
            return attempt(request, metadata);
        } catch (UrlElicitationRequiredException required) {
            connection.pipeline().visit(required, options);
        }
        return attempt(request, metadata);
    }

    private CallToolResult attempt(CallToolRequest request, @Nullable TaskMetadata metadata)
            throws InterruptedException {
        if (isExtension()) {
            return callWithExtension(request);
        }
        if (request.task() == null && !isRequired(request.name())) {
            long seen = connection.tools().version();
            try {
                return connection.pipeline().send(Methods.CALL_TOOL, request, options);
            } catch (JsonRpcException e) {
                if (!needsTask(e, request.name(), seen)) {
                    throw e;
                }
            }
        }
        return callAsTask(
                request.task() == null
                        ? request.withTask(metadata == null ? new TaskMetadata() : metadata)
                        : request);
    }

    /** Whether the server decides whether a call becomes a task. */
    private boolean isExtension() throws InterruptedException {
        return connection.session().isPerRequest();
    }

    /** Sends one round of a call, whose questions the caller gets; a task is not seen. */
    Outcome<CallToolResult> round(CallToolRequest request, Round round)
            throws InterruptedException {
        if (!isExtension() && round.isFirst()) {
            return Outcome.complete(call(request, null));
        }
        try {
            return connection.pipeline().round(Methods.CALL_TOOL, request, round, options);
        } catch (JsonRpcException e) {
            if (round.isFirst()
                    && TasksExtension.isMissingIn(e)
                    && connection.session().takesTaskCalls()) {
                return Outcome.complete(callAsTask(request));
            }
            throw e;
        }
    }

    /** A call in rounds that is refused without tasks is continued with them in the same round. */
    private CallToolResult callWithExtension(CallToolRequest request) throws InterruptedException {
        boolean accepting =
                (connection.settings().acceptTasks || request.task() != null)
                        && connection.session().takesTaskCalls();
        if (accepting) {
            return callAsTask(request);
        }
        try {
            return connection.pipeline().send(Methods.CALL_TOOL, request, options);
        } catch (JsonRpcException e) {
            if (!TasksExtension.isMissingIn(e)
                    || options.ongoing().hasFailedHere()
                    || !connection.session().takesTaskCalls()) {
                throw e;
            }
        }
        options.ongoing().continueInThisRound();
        options.repeated();
        return callAsTask(request);
    }

    private boolean isRequired(String tool) throws InterruptedException {
        return connection.session().takesTaskCalls()
                && connection.tools().taskSupport(tool).equals(Optional.of(TaskSupport.REQUIRED));
    }

    /**
     * Whether a refusal means that the tool must be called as a task. A tool may give the same
     * error itself, and must not run a second time then: what the server lists now decides, or that
     * it speaks of tasks where it wants them for all calls.
     *
     * @param seen the version of the definitions by which the call was sent
     */
    private boolean needsTask(JsonRpcException refusal, String tool, long seen)
            throws InterruptedException {
        boolean ofTool = refusal.code() == ErrorCode.METHOD_NOT_FOUND;
        boolean ofAll =
                refusal.code() == ErrorCode.INVALID_REQUEST
                        && refusal.error().message().toLowerCase(Locale.ROOT).contains("task");
        if (!(ofTool || ofAll) || !connection.session().takesTaskCalls()) {
            return false;
        }
        requests.learnAgain(tool, seen);
        TaskSupport support = connection.tools().taskSupport(tool).orElse(TaskSupport.FORBIDDEN);
        return support == TaskSupport.REQUIRED || (ofAll && support == TaskSupport.OPTIONAL);
    }

    // ---- as a task

    private CallToolResult callAsTask(CallToolRequest request) throws InterruptedException {
        boolean listening = options.listener() != null;
        return switch (connection.tasks().start(request, options, listening)) {
            case StartedTool.Answered answered -> answered.result();
            case StartedTool.Running running -> await(running.task());
        };
    }

    private CallToolResult await(RemoteTask task) throws InterruptedException {
        try {
            return connection.tasks().read(connection.tasks().await(task, options));
        } catch (JsonRpcException e) {
            throw RequestPipeline.typed(e);
        }
    }
}
