package dev.fairlead.server.tools;

import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;
import dev.fairlead.protocol.engine.Incident;
import dev.fairlead.protocol.engine.PeerError;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.server.call.AskingBody;
import dev.fairlead.server.call.HandlerCall;
import dev.fairlead.server.call.HeldCalls;
import dev.fairlead.server.call.ServerCall;
import dev.fairlead.server.call.TaskStart;

import java.util.function.Function;

/**
 * Runs the body of a tool, and decides whether its failure becomes a tool error or a protocol
 * error. The stack of a body that waits for an answer is kept in memory, so its caller is a class:
 * a lambda takes two frames, and so does a method that narrows the type of its result.
 */
final class ToolRun {
    private ToolRun() {}

    /** The run of a tool, whose body may be held. */
    private record Whole(ServerTool tool, AskingBody.Body<Object> body)
            implements AskingBody.Body<Object> {
        @Override
        public Object run(HandlerCall call) throws Exception {
            if (tool.holdsWhileAsking()) {
                call.withoutReplay();
            }
            try {
                return reply(AskingBody.run(call, body));
            } catch (
                    Throwable failure) { // of an executor perhaps, which wraps exceptions of a body
                if (call.scope().startsTask() && !(failure instanceof JsonRpcException)) {
                    throw new TaskStart();
                }
                return failed(tool.name(), failure, call);
            }
        }
    }

    /** Runs the body. If that makes the call a task, a {@link TaskStart} is thrown. */
    static ToolReply of(ServerTool tool, ToolInput input, HandlerCall call) throws Exception {
        return (ToolReply) body(tool, input).run(call);
    }

    private static AskingBody.Body<Object> body(ServerTool tool, ToolInput input) {
        try {
            return new Whole(tool, tool.body().bind(input));
        } catch (RuntimeException | Error failure) {
            return call -> failed(tool.name(), failure, call);
        }
    }

    /**
     * Runs a body that waits between the rounds of its request, or hands it the answers of a retry.
     */
    static ToolReply held(ServerTool tool, ToolInput input, ServerCall call, HeldCalls calls)
            throws Exception {
        return reply(calls.run(call, tool.blocking(), () -> body(tool, input.detached())));
    }

    private static ToolReply reply(Outcome<?> outcome) {
        if (outcome
                instanceof Outcome.Complete<?> ended) { // a switch would make a class at a start
            return (ToolReply) ended.result();
        }
        if (outcome instanceof Outcome.InputRequired<?> required) {
            return new ToolReply.Whole(new Outcome.InputRequired<>(required.input()));
        }
        throw new AssertionError("a body does not create tasks");
    }

    /**
     * Returns the failure: the model sees those that it can correct; others are errors of the
     * protocol or in the log.
     */
    static ToolReply failed(String tool, Throwable failure, HandlerCall call) throws Exception {
        return switch (failure) {
            case ToolFailedException e -> ToolReply.of(e.result());
            case UrlElicitationRequiredException e
                    when call.revision().era() == Era.PER_REQUEST // which has no such error
                            || !call.capabilities().elicitationUrl() ->
                    broken(e.getMessage());
            case UrlElicitationRequiredException e -> throw e;
            case JsonRpcException e -> ofPeer(e);
            case ToolOutput.BrokenOutputException e -> throw broken(tool, e);
            case CapabilityException e when call.scope().face().refusal(e).isPresent() ->
                    throw call.scope().face().refusal(e).get();
            // the client lacks a capability, is silent or gone, or sent an invalid answer
            case CallException e -> broken(e.getMessage());
            default -> stoppedOrUnexpected(tool, failure, call);
        };
    }

    /** Fails the tool with the error of a peer; any other error is the handler's own answer. */
    static ToolReply ofPeer(JsonRpcException error) {
        return broken(PeerError.text(error).orElseThrow(() -> error));
    }

    static JsonRpcException broken(String tool, ToolOutput.BrokenOutputException cause) {
        return new JsonRpcException(
                ErrorCode.INTERNAL_ERROR,
                Incident.log("The tool " + tool + " broke its own output schema", cause));
    }

    private static ToolReply broken(String text) {
        return ToolReply.of(CallToolResult.failure(text));
    }

    /** Writes a reply, or the failure of the tool where its result cannot be written. */
    static <T> T written(String tool, ToolReply reply, Function<ToolReply, T> form) {
        try {
            return form.apply(reply);
        } catch (CallException e) { // the revision has no words for it
            throw e;
        } catch (RuntimeException | StackOverflowError e) {
            return form.apply(
                    broken(Incident.log("The result of the tool " + tool + " is not JSON", e)));
        }
    }

    private static ToolReply stoppedOrUnexpected(String tool, Throwable failure, HandlerCall call) {
        if (!call.isCancelled()) {
            return broken(Incident.log("The tool " + tool + " failed", failure));
        }
        String reason = call.cancellationReason().map(": "::concat).orElse("");
        return broken("The tool was stopped" + reason);
    }
}
