package dev.fairlead.server.tools;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.peer.Route;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.headers.ParameterHeaders;
import dev.fairlead.protocol.tasks.TasksExtension;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.call.AskingBody;
import dev.fairlead.server.call.HeldCalls;
import dev.fairlead.server.call.RequestContext;
import dev.fairlead.server.call.ServerCall;
import dev.fairlead.server.call.TaskStart;
import dev.fairlead.server.call.ToolTarget;
import dev.fairlead.server.pagination.ServerSource;
import dev.fairlead.server.tasks.TaskOrigin;
import dev.fairlead.tasks.engine.TaskRequest;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The route of {@code tools/call}, which makes no records where no code reads them. */
public final class ToolCallRoute implements Route<CallToolRequest, CallToolResult, ServerCall> {
    private final ToolSet tools;
    private final HeldCalls heldCalls;

    public ToolCallRoute(ToolSet tools, HeldCalls heldCalls) {
        this.tools = tools;
        this.heldCalls = heldCalls;
    }

    /**
     * Answers a call; headers are compared with the parameters of the client, not with those of
     * interceptors.
     */
    @Override
    public RawJson answer(ServerCall call, List<Interceptor> interceptors) throws Exception {
        if (call.revision().era() == Era.PER_REQUEST) {
            requireHeaders(call);
        }
        return Route.super.answer(call, interceptors);
    }

    private void requireHeaders(ServerCall call) {
        ToolTarget target = call.target();
        ServerTool tool = tools.find(target.name());
        if (tool != null
                && !tool.headers().all().isEmpty()
                && call.hasParameterHeaders()
                && tool.isVisibleTo(call.caller())
                && !ToolMethods.isHidden(tool, call)) { // else the tool is unknown
            call.check(tool.headers());
        }
    }

    @Override
    public RawJson answer(ServerCall call) throws Exception {
        Supplier<CallToolRequest> request =
                params(call.face(), call.client(), call.request().params());
        return write(run(call.target(), request, call), call);
    }

    private static RawJson write(ToolReply reply, ServerCall call) {
        return ToolRun.written(call.target().name(), reply, given -> toWire(given, call));
    }

    private static RawJson toWire(ToolReply reply, ServerCall call) {
        RawJson written = reply.toWire(call.face());
        if (reply instanceof ToolReply.Whole whole) { // the others are results without an error
            call.answered(whole.outcome());
        }
        return written;
    }

    @Override
    public CallToolRequest params(ServerCall call) {
        return params(call.face(), call.client(), call.request().params()).get();
    }

    /** Returns the reader of parameters; it does not keep the call, which a held body outlives. */
    private static Supplier<CallToolRequest> params(
            WireFace face, RequestContext client, @Nullable RawJson params) {
        boolean takesTasks = client.takesTasks();
        return () ->
                (takesTasks
                                ? face.readParams(Methods.CALL_TOOL, params)
                                : face.readPlainParams(Methods.CALL_TOOL, params))
                        .params();
    }

    @Override
    public Class<CallToolResult> resultType() {
        return CallToolResult.class;
    }

    @Override
    public Outcome<CallToolResult> run(CallToolRequest request, ServerCall call) throws Exception {
        RawJson arguments = RawJson.of(request.arguments());
        ToolTarget target = new ToolTarget(request.name(), arguments, request.task() != null);
        return run(target, () -> request, call).outcome();
    }

    @Override
    public RawJson write(Outcome<CallToolResult> outcome, ServerCall call) {
        return write(new ToolReply.Whole(outcome), call);
    }

    /** Runs a tool, or has it run as a task. */
    private ToolReply run(ToolTarget target, Supplier<CallToolRequest> request, ServerCall call)
            throws Exception {
        ServerTool tool = tools.find(target.name(), call.caller());
        if (tool == null) {
            return fromSource(target, request, call);
        }
        if (ToolMethods.isHidden(tool, call)) {
            throw unknown(target.name());
        }
        tool.access().admit(call.caller());
        ToolInput input = tool.input(target.arguments(), request, call.settings());
        if (HeldCalls.isRetry(call)) {
            return held(tool, input, call);
        }
        if (call.revision().era() == Era.HANDSHAKE
                ? isAskedForTask(tool, target.asksForTask(), call)
                : becomesTask(tool, input, call)) {
            return created(tool, request, call);
        }
        if (tool.holdsWhileAsking() && HeldCalls.canHold(call)) {
            return held(tool, input, call);
        }
        limit(tool, call);
        if (tool.task().later()
                && call.revision().era() == Era.PER_REQUEST
                && call.client().takesTasks()) {
            call.mayStartTask();
        }
        try {
            return ToolRun.of(tool, input, call.call());
        } catch (TaskStart start) {
            return created(tool, request, call);
        }
    }

    private ToolReply held(ServerTool tool, ToolInput input, ServerCall call) throws Exception {
        limit(tool, call);
        return ToolRun.held(tool, input, call, heldCalls);
    }

    private static void limit(ServerTool tool, ServerCall call) {
        if (tool.timeout() != null) {
            call.limit(tool.timeout());
        }
    }

    private static ToolReply created(
            ServerTool tool, Supplier<CallToolRequest> request, ServerCall call) {
        return new ToolReply.Whole(
                new Outcome.TaskCreated<>(
                        call.createdTasks()
                                .create(
                                        stored(tool, request.get(), call),
                                        tool.task().immediateResponse())));
    }

    /** Returns whether the client decides that the call is a task, which the tool must fit. */
    private static boolean isAskedForTask(ServerTool tool, boolean asksForTask, ServerCall call) {
        TaskSupport support = tool.task().support();
        boolean isTask =
                call.client().takesTasks() && (asksForTask || support == TaskSupport.REQUIRED);
        if (isTask) {
            requireFit(tool.name(), support, asksForTask);
        }
        return isTask;
    }

    /** Returns whether the server decides that the call is a task. */
    private static boolean becomesTask(ServerTool tool, ToolInput input, ServerCall call) {
        boolean takesTasks = call.client().takesTasks();
        return switch (tool.task().support()) {
            case FORBIDDEN -> false;
            case OPTIONAL ->
                    takesTasks
                            && !tool.task().later()
                            && !call.isRetry() // a task would ask again
                            && tool.body().becomesTask(input, call.caller());
            case REQUIRED -> {
                if (!takesTasks) {
                    throw CapabilityException.missing(
                            TasksExtension.CAPABILITY, "the tool " + tool.name());
                }
                yield !tool.task().later();
            }
        };
    }

    /** Returns the stored form of a call. Tasks of the extension send no progress. */
    private static TaskRequest stored(ServerTool tool, CallToolRequest request, ServerCall call) {
        return new TaskRequest(
                Methods.CALL_TOOL.name(),
                tool.name(),
                TaskOrigin.of(
                                request,
                                call.client(),
                                call.startsTask() ? call.idempotencyBase() : null,
                                call.startsTask() ? call.call().retry().orElse(null) : null)
                        .write(),
                call.revision().era() == Era.HANDSHAKE ? call.progressToken() : null,
                TaskRequest.ttl(request.task()),
                tool.task().rerunnable(),
                call.startsTask() ? call.answered() : List.of(),
                call.startsTask() ? call.recordedValues() : Map.of(),
                call.channel().countedFor());
    }

    /** Both refusals are {@code -32601}. */
    private static void requireFit(String name, TaskSupport support, boolean asksForTask) {
        if (asksForTask && support == TaskSupport.FORBIDDEN) {
            throw new JsonRpcException(
                    ErrorCode.METHOD_NOT_FOUND, "The tool cannot be called as a task: " + name);
        }
        if (!asksForTask) {
            throw new JsonRpcException(
                    ErrorCode.METHOD_NOT_FOUND, "The tool must be called as a task: " + name);
        }
    }

    private ToolReply fromSource(
            ToolTarget target, Supplier<CallToolRequest> request, ServerCall call)
            throws Exception {
        String name = target.name();
        HeldCalls.requireNoRetry(call);
        var source = ServerSource.find(tools.sources(), name, call.caller());
        if (source == null) {
            throw unknown(name);
        }
        if (target.asksForTask()
                && call.revision().era() == Era.HANDSHAKE
                && call.client().takesTasks()) {
            requireFit(name, TaskSupport.FORBIDDEN, true);
        }
        try {
            return new ToolReply.Whole(
                    AskingBody.run(
                            call.call(),
                            asking -> {
                                requireHeaders(source, name, call);
                                return source.handler().handle(request.get(), asking);
                            }));
        } catch (Throwable failure) {
            return ToolRun.failed(name, failure, call.call());
        }
    }

    private static void requireHeaders(
            ServerSource<Tool, ?, ?> source, String name, ServerCall call) throws Exception {
        if (source.definition() != null && call.hasParameterHeaders()) {
            source.definition()
                    .handle(name, call.call())
                    .ifPresent(tool -> call.check(ParameterHeaders.ifValid(tool)));
        }
    }

    private static JsonRpcException unknown(String name) {
        return JsonRpcException.invalidParams("Unknown tool: " + name);
    }
}
