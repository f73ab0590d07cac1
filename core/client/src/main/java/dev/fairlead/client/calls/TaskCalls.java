package dev.fairlead.client.calls;

import dev.fairlead.client.link.CallOptions;
import dev.fairlead.client.link.ServerLink;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.tasks.CreateTaskResult;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.tasks.requestor.RemoteTask;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Starts tools as tasks. A task that an interceptor keeps from the caller is cancelled; the pages
 * that must be visited first are the caller's business.
 *
 * @param options of the call, which has begun
 * @param listening whether there is a listener for progress
 */
public record TaskCalls(CallParts parts, CallOptions options, boolean listening) {
    private static final String CALL = Methods.CALL_TOOL.name();

    /** The result of a call of a tool as a task. */
    public sealed interface Started {
        /** A task, and the answer of the server that created it. */
        record Running(RemoteTask task, CreateTaskResult created) implements Started {}

        /** The server answered at once. */
        record Answered(CallToolResult result) implements Started {}
    }

    /** Calls a tool as a task. The interceptors run on this thread. */
    public Started start(CallToolRequest call) throws InterruptedException {
        CallToolRequest asked = parts.links().current().allowingTask(call);
        List<RemoteTask> kept = new CopyOnWriteArrayList<>(); // from the caller, so far
        try {
            Outcome<CallToolResult> outcome =
                    parts.pipeline()
                            .intercepted(
                                    CALL,
                                    asked,
                                    CallToolResult.class,
                                    (link, seen, outbound) -> {
                                        RemoteTask task =
                                                create(
                                                        link,
                                                        (CallToolRequest) seen.params(),
                                                        outbound.counting(options));
                                        kept.add(task);
                                        return outcome(task);
                                    });
            return started(outcome, kept);
        } catch (InterruptedException | RequestTimeoutException e) {
            options.ongoing().abandon();
            throw e;
        } finally {
            kept.forEach(RemoteTask::abandon);
        }
    }

    private RemoteTask create(ServerLink link, CallToolRequest call, CallOptions counted)
            throws InterruptedException {
        return parts.tasks()
                .all()
                .create(
                        token ->
                                parts.pipeline()
                                        .on(
                                                link,
                                                CALL,
                                                counted,
                                                usable ->
                                                        usable.callAsTask(
                                                                call,
                                                                counted,
                                                                listening ? token : null)),
                        options.ongoing().patience(options.timeout));
    }

    /** Returns the answer of the server, as interceptors see it. */
    private Outcome<CallToolResult> outcome(RemoteTask started) {
        Optional<CreateTaskResult> created = started.created();
        return created.isPresent()
                ? new Outcome.TaskCreated<>(created.get())
                : Outcome.complete(parts.tasks().read(started.result().orElseThrow()));
    }

    private Started started(Outcome<CallToolResult> outcome, List<RemoteTask> kept) {
        return switch (outcome) {
            case Outcome.Complete<CallToolResult> complete ->
                    new Started.Answered(complete.result());
            case Outcome.TaskCreated<CallToolResult> created ->
                    new Started.Running(handedOut(created.task(), kept), created.task());
            case Outcome.InputRequired<CallToolResult> required ->
                    throw new InvalidResultException(CALL + " was answered with questions", null);
        };
    }

    /** Returns the task that the caller receives. */
    private RemoteTask handedOut(CreateTaskResult created, List<RemoteTask> kept) {
        TaskId id = created.task().id();
        for (RemoteTask task : kept) {
            if (task.id().equals(Optional.of(id))) {
                kept.remove(task);
                return task;
            }
        }
        return parts.tasks().resume(id);
    }
}
