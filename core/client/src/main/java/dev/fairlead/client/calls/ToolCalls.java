package dev.fairlead.client.calls;

import dev.fairlead.client.link.CallOptions;
import dev.fairlead.client.link.Round;
import dev.fairlead.client.link.ServerLink;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;
import dev.fairlead.protocol.tasks.TaskMetadata;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.tasks.requestor.RemoteTask;

import org.jspecify.annotations.Nullable;

/**
 * Calls a tool in the form that it requires: plainly, or as a task that the caller does not see.
 * The definition of the tool decides, and the answer of the server if that was not read or is out
 * of date.
 *
 * @param options of the call, which has begun
 */
public record ToolCalls(CallParts parts, CallOptions options) {
    /**
     * Calls a tool; as a task where the request says so, the tool requires it or the client accepts
     * one.
     *
     * @param metadata for a task that the tool requires; null for none
     */
    public CallToolResult call(CallToolRequest request, @Nullable TaskMetadata metadata)
            throws InterruptedException {
        for (boolean isVisited = false; ; isVisited = true) {
            try {
                if (startsAsTask(request)) {
                    return callAsTask(request, metadata);
                }
                long seen = parts.tools().version();
                try {
                    return parts.pipeline().send(Methods.CALL_TOOL, request, options);
                } catch (JsonRpcException e) {
                    if (!needsTask(e, request.name(), seen)) {
                        throw e;
                    }
                }
                options.ongoing().continueInThisRound();
                options.repeated();
                return callAsTask(request, metadata);
            } catch (UrlElicitationRequiredException required) {
                if (isVisited) {
                    throw required;
                }
                parts.pipeline().visit(required, options);
            }
        }
    }

    private boolean startsAsTask(CallToolRequest request) throws InterruptedException {
        return parts.links()
                .current()
                .startsAsTask(request, parts.tools().taskSupport(request.name()));
    }

    /**
     * Sends one round of a call, whose questions the caller gets; a task is not seen. Without
     * rounds the call is sent to its end.
     */
    public Outcome<CallToolResult> round(CallToolRequest request, Round round)
            throws InterruptedException {
        if (round.isFirst() && !parts.links().current().hasRounds()) {
            return Outcome.complete(call(request, null));
        }
        long seen = parts.tools().version();
        try {
            return parts.pipeline().round(Methods.CALL_TOOL, request, round, options);
        } catch (JsonRpcException e) {
            if (!round.isFirst() || !needsTask(e, request.name(), seen)) {
                throw e;
            }
        }
        return Outcome.complete(callAsTask(request, null));
    }

    /**
     * Returns whether a call was refused because it must allow a task. A tool may give the same
     * error itself, and must not run a second time then: the definition that the server lists now
     * decides, where the error alone does not.
     *
     * @param seen the version of the definitions by which the call was sent
     */
    private boolean needsTask(JsonRpcException refusal, String tool, long seen)
            throws InterruptedException {
        ServerLink link = parts.links().current();
        ServerLink.TaskNeed need = link.taskNeed(refusal);
        if (need == ServerLink.TaskNeed.NONE
                || options.ongoing().hasFailedHere()
                || !link.takesTaskCalls()) {
            return false;
        }
        if (need == ServerLink.TaskNeed.ALWAYS) {
            return true;
        }
        new ListCalls(parts, options).learnAgain(tool, seen);
        TaskSupport support = parts.tools().taskSupport(tool).orElse(TaskSupport.FORBIDDEN);
        return support == TaskSupport.REQUIRED
                || (need == ServerLink.TaskNeed.IF_ALLOWED && support == TaskSupport.OPTIONAL);
    }

    /** Reads the definition of a tool unless it is known. */
    public void learn(String tool) throws InterruptedException {
        new ListCalls(parts, options).learn(tool, 1);
    }

    /**
     * The output schema that declares whether a tool wraps its output; null if the tool has none or
     * is not known, and in revisions in which every JSON is structured content.
     */
    public @Nullable JsonObject wrappingSchema(String tool) {
        return parts.links().known().face().revision().isAtLeast(Revision.V2026_07_28)
                ? null
                : parts.tools().outputSchema(tool);
    }

    /** Makes sure that a tool may be called as a task. */
    public void requireTaskSupport(String tool) throws InterruptedException {
        new ListCalls(parts, options).learn(tool, ListCalls.READINGS);
        parts.links().current().requireTaskSupport(tool, parts.tools().taskSupport(tool));
    }

    /** Checks a result by the output schema of its tool, if that is known. */
    public void check(String tool, CallToolResult result) {
        if (parts.links().known().face().revision().isAtLeast(Revision.V2025_06_18)) {
            parts.tools().check(tool, result);
        }
    }

    // ---- as a task

    private CallToolResult callAsTask(CallToolRequest request, @Nullable TaskMetadata metadata)
            throws InterruptedException {
        CallToolRequest call =
                request.task() == null && metadata != null ? request.withTask(metadata) : request;
        return switch (new TaskCalls(parts, options, options.listener != null).start(call)) {
            case TaskCalls.Started.Answered answered -> answered.result();
            case TaskCalls.Started.Running running -> await(running.task());
        };
    }

    private CallToolResult await(RemoteTask task) throws InterruptedException {
        try {
            return parts.tasks().read(parts.tasks().await(task, options));
        } catch (JsonRpcException e) {
            throw RequestPipeline.typed(e);
        }
    }
}
