package dev.fairlead.server.tools;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.peer.CallContext;
import dev.fairlead.peer.InterceptedCall;
import dev.fairlead.peer.InterceptorChain;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.face.NeutralForm;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.server.call.HandlerCall;
import dev.fairlead.server.call.RunningHandlers;
import dev.fairlead.server.call.ServerContext;
import dev.fairlead.server.handler.JobPoll;
import dev.fairlead.server.tasks.TaskOrigin;
import dev.fairlead.server.tasks.TaskScope;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.engine.TaskContext;
import dev.fairlead.tasks.engine.TaskWork;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/** The work of a server's tasks: they run tools. */
public final class ToolWork implements TaskWork {
    private final ServerContext server;
    private final Supplier<ToolSet> tools;

    /**
     * @param tools the tools that the server has now
     */
    public ToolWork(ServerContext server, Supplier<ToolSet> tools) {
        this.server = server;
        this.tools = tools;
    }

    @Override
    public boolean isBlocking(String name) {
        ServerTool tool = tools.get().find(name);
        return tool != null && tool.blocking();
    }

    @Override
    public TaskOutcome run(TaskContext context) throws Exception {
        TaskOrigin origin = TaskOrigin.read(context.origin());
        ServerTool tool = tool(context.task().name(), origin.identity());
        TaskScope scope =
                new TaskScope(server, context, origin, tool.timeout(), tool.task().pollEvery());
        RunningHandlers.Entry running =
                server.begin(() -> "task " + context.task().id() + " of tool " + tool.name());
        try {
            return ToolRun.written(
                    tool.name(),
                    run(tool, origin, new HandlerCall(scope, scope)),
                    ToolWork::outcome);
        } finally {
            server.end(running);
            scope.end();
        }
    }

    private ToolReply run(ServerTool tool, TaskOrigin origin, HandlerCall call) throws Exception {
        List<Interceptor> interceptors = server.settings().interceptors;
        Supplier<CallToolRequest> request = () -> origin.request(tool.name());
        if (interceptors.isEmpty()) {
            ToolInput input = tool.input(origin.arguments(), request, server.settings());
            return ToolRun.of(tool, input, call);
        }
        CallToolResult result =
                InterceptorChain.runTask(
                        interceptors,
                        new InterceptedCall(
                                Methods.CALL_TOOL.name(),
                                request.get(),
                                true,
                                CallContext.task(call.caller(), Optional.of(call.revision()))),
                        CallToolResult.class,
                        method -> {
                            CallToolRequest left = (CallToolRequest) method.params();
                            RawJson arguments = RawJson.of(left.arguments());
                            ToolInput input = tool.input(arguments, () -> left, server.settings());
                            return ToolRun.of(tool, input, call).outcome();
                        });
        return call.scope().isParked() ? ToolReply.PARKED : ToolReply.of(result);
    }

    /** The tool may be gone when a task runs again. */
    private ServerTool tool(String name, Caller caller) {
        ServerTool tool = tools.get().find(name, caller);
        if (tool == null) {
            throw JsonRpcException.invalidParams("Unknown tool: " + name);
        }
        return tool;
    }

    public static TaskOutcome outcome(ToolReply reply) {
        CallToolResult result = InterceptorChain.result(Methods.CALL_TOOL.name(), reply.outcome());
        return new TaskOutcome.Result(
                NeutralForm.writeResult(Methods.CALL_TOOL, result), result.isError());
    }

    @Override
    public String statusMessage(TaskOutcome.Result result) {
        String text = NeutralForm.readResult(Methods.CALL_TOOL, result.value()).text();
        return text.isEmpty() ? "The tool failed" : text;
    }

    @Override
    public TaskOutcome tooLarge(String message) {
        return outcome(ToolReply.of(CallToolResult.failure(message)));
    }

    @Override
    public Optional<TaskOutcome> poll(TakenTask parked) throws Exception {
        String name = parked.task().name();
        ServerTool tool = tool(name, TaskOrigin.read(parked.origin()).identity());
        JobPoll<?> poll = tool.task().poll();
        if (poll == null) {
            return Optional.empty();
        }
        try {
            Optional<?> output =
                    poll.poll(Objects.requireNonNull(parked.task().job(), "it is parked"));
            return output.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            ToolRun.written(
                                    name, tool.body().reply(output.get()), ToolWork::outcome));
        } catch (ToolFailedException e) {
            return Optional.of(outcome(ToolReply.of(e.result())));
        } catch (ToolOutput.BrokenOutputException e) {
            throw ToolRun.broken(name, e);
        } catch (JsonRpcException e) {
            return Optional.of(outcome(ToolRun.ofPeer(e)));
        }
    }
}
