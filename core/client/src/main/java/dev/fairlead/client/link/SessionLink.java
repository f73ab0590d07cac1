package dev.fairlead.client.link;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.peer.PeerTasks;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.Side;
import dev.fairlead.protocol.base.EmptyParams;
import dev.fairlead.protocol.base.MetaKey;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.engine.OutgoingRequest;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.logging.SetLevelRequest;
import dev.fairlead.protocol.resources.SubscribeRequest;
import dev.fairlead.protocol.resources.UnsubscribeRequest;
import dev.fairlead.protocol.tasks.TaskMetadata;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.TaskSupport;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/** A session with the server, which begins with a handshake. */
public final class SessionLink implements ServerLink {
    private static final System.Logger LOGGER = System.getLogger(SessionLink.class.getName());
    private static final String META = "_meta";
    private static final String TASK_CALLS = "tasks.requests.tools.call";

    private final LinkChannel channel;
    private final WireFace face;
    private final LinkContext context;

    /** Completes the handshake. */
    public SessionLink(LinkChannel channel, LinkContext context) {
        this.channel = channel;
        this.face = channel.face();
        this.context = context;
        channel.ready();
        channel.connection()
                .notify(face.notification(Notifications.INITIALIZED, EmptyParams.EMPTY));
    }

    @Override
    public LinkChannel channel() {
        return channel;
    }

    // ---- requests

    @Override
    public <P extends RequestParams, R extends Result> R call(
            Method<P, R> method, P params, CallOptions given) throws InterruptedException {
        channel.require(method);
        CallOptions options = given.begun(context.timers());
        RawJson result =
                options.ongoing()
                        .request(
                                channel.connection(),
                                outgoing(
                                        method.name(),
                                        token -> face.writeParams(method, params, token),
                                        options));
        channel.answered();
        options.count(result);
        return face.readResult(method, result);
    }

    @Override
    public JsonObject callRaw(String method, JsonObject params, CallOptions given)
            throws InterruptedException {
        face.method(method, Side.SERVER).ifPresent(channel::require);
        CallOptions options = given.begun(context.timers());
        RawJson result =
                options.ongoing()
                        .request(
                                channel.connection(),
                                outgoing(
                                        method,
                                        token -> RawJson.of(withToken(params, token)),
                                        options));
        channel.answered();
        return (JsonObject) result.value(); // the message parser takes no other result
    }

    /** Returns parameters with the token for progress. */
    public static JsonObject withToken(JsonObject params, @Nullable ProgressToken token) {
        if (token == null) {
            return params;
        }
        JsonObject meta = params.get(META) instanceof JsonObject object ? object : JsonObject.EMPTY;
        return params.with(META, meta.with(MetaKey.PROGRESS_TOKEN, token.value()));
    }

    private static OutgoingRequest outgoing(
            String method, OutgoingRequest.Parameters params, CallOptions options) {
        return new OutgoingRequest(
                        method, params, options.timeout, options.maximum, options.listener, null)
                .withHeaders(options.headers);
    }

    @Override
    public boolean hasRounds() {
        return false;
    }

    @Override
    public <P extends RequestParams, R extends Result> Outcome<R> round(
            Method<P, R> method, P params, Round round, CallOptions options)
            throws InterruptedException {
        if (!round.isFirst()) {
            throw new ConnectionException(
                    method.name()
                            + ": the server speaks revision "
                            + face.revision().date()
                            + " now, which cannot continue the request");
        }
        return Outcome.complete(call(method, params, options));
    }

    @Override
    public Method<EmptyParams, ? extends Result> pingMethod() {
        return Methods.PING;
    }

    // ---- tools as tasks

    @Override
    public boolean takesTaskCalls() {
        return face.has(Methods.GET_TASK)
                && server().capabilities()
                        .tasks()
                        .filter(tasks -> tasks.takes(Methods.CALL_TOOL.name()))
                        .isPresent();
    }

    @Override
    public void requireTaskSupport(String tool, Optional<TaskSupport> support) {
        if (takesTaskCalls() && support.orElse(TaskSupport.FORBIDDEN) == TaskSupport.FORBIDDEN) {
            throw new CapabilityException(
                    TASK_CALLS, "Tool " + tool + " may not be called as a task");
        }
    }

    @Override
    public boolean startsAsTask(CallToolRequest call, Optional<TaskSupport> support) {
        return call.task() != null
                || (support.filter(TaskSupport.REQUIRED::equals).isPresent() && takesTaskCalls());
    }

    /** A server that refuses calls of all tools names tasks, with a code that may mean anything. */
    @Override
    public TaskNeed taskNeed(JsonRpcException refusal) {
        return switch (refusal.code()) {
            case ErrorCode.METHOD_NOT_FOUND -> TaskNeed.IF_REQUIRED;
            case ErrorCode.INVALID_REQUEST ->
                    refusal.error().message().toLowerCase(Locale.ROOT).contains("task")
                            ? TaskNeed.IF_ALLOWED
                            : TaskNeed.NONE;
            default -> TaskNeed.NONE;
        };
    }

    @Override
    public CallToolRequest allowingTask(CallToolRequest call) {
        return call.task() == null ? call.withTask(new TaskMetadata()) : call;
    }

    @Override
    public Outcome<RawJson> callAsTask(
            CallToolRequest call, CallOptions options, @Nullable Consumer<ProgressToken> token)
            throws InterruptedException {
        Method<CallToolRequest, CallToolResult> method = Methods.CALL_TOOL;
        channel.require(method);
        if (!takesTaskCalls()) {
            throw CapabilityException.missing(TASK_CALLS, "a call as a task");
        }
        CallOptions patient = options.withTimeout(options.maximum, options.maximum);
        OutgoingRequest request =
                outgoing(
                        method.name(),
                        given -> face.writeParams(method, call, given),
                        patient.with(copy -> copy.listener = token == null ? null : report -> {}));
        OngoingCall ongoing = options.begun(context.timers()).ongoing();
        OutgoingRequest limited = request.within(ongoing.left(method.name()));
        return ongoing.counted(
                () ->
                        PeerTasks.create(
                                channel.connection(),
                                face,
                                method,
                                limited,
                                token == null ? ignored -> {} : token));
    }

    // ---- the state of the server's side

    @Override
    public void setLevel(LoggingLevel level, Caller caller) throws InterruptedException {
        caller.call(Methods.SET_LEVEL, new SetLevelRequest(level));
    }

    @Override
    public void watch(String uri, Caller caller, Duration timeout) throws InterruptedException {
        caller.call(Methods.SUBSCRIBE, new SubscribeRequest(uri));
    }

    @Override
    public void unwatch(String uri, Caller caller) throws InterruptedException {
        caller.call(Methods.UNSUBSCRIBE, new UnsubscribeRequest(uri));
    }

    /** Changes come without a stream of their own. */
    @Override
    public void changesWanted() {}

    @Override
    public boolean wantsChanges() {
        return false;
    }

    @Override
    public void stopListening() {}

    @Override
    public void rootsChanged() {
        channel.connection()
                .notify(face.notification(Notifications.ROOTS_LIST_CHANGED, EmptyParams.EMPTY));
    }

    @Override
    public void restore() throws InterruptedException {
        LoggingLevel level = context.level().get();
        if (level != null) {
            restore(Methods.SET_LEVEL, new SetLevelRequest(level));
        }
        for (String uri : context.resources().uris()) {
            restore(Methods.SUBSCRIBE, new SubscribeRequest(uri));
        }
    }

    private <P extends RequestParams> void restore(Method<P, ?> method, P params)
            throws InterruptedException {
        try {
            call(method, params, context.defaults());
        } catch (CallException e) {
            LimitedLog.log(
                    LOGGER,
                    Level.WARNING,
                    context.peer(),
                    "The new session lacks what the old one had by {0}: {1}",
                    method,
                    Printable.excerpt(e.getMessage()));
        }
    }

    @Override
    public boolean isReplaceable() {
        return false;
    }

    @Override
    public boolean repeatsArguments() {
        return false;
    }
}
