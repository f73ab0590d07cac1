package dev.fairlead.client.link;

import dev.fairlead.client.changes.Listening;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.Side;
import dev.fairlead.protocol.base.EmptyParams;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.face.PerRequestFace;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.subscriptions.NotificationFilter;
import dev.fairlead.protocol.tasks.TaskMetadata;
import dev.fairlead.protocol.tasks.TasksExtension;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.TaskSupport;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Sends requests that contain all that the server must know of the client, each over as many rounds
 * as it takes. Changes come on a stream of their own.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic Base protocol
 */
public final class RequestLink implements ServerLink {
    private static final System.Logger LOGGER = System.getLogger(RequestLink.class.getName());
    private static final String META = "_meta";

    /** The end of the names of requests for lists, whose changes are announced. */
    private static final String LIST = "/list";

    private final LinkChannel channel;
    private final PerRequestFace face;
    private final LinkContext context;
    private final Listening listening;
    private final boolean headers;
    private final AtomicBoolean ttlNoted = new AtomicBoolean();
    private volatile @Nullable Claim claimed;

    /**
     * Opens the stream of changes if any are wanted.
     *
     * @param again whether there was a link before, so that changes were missed since
     */
    public RequestLink(
            LinkChannel channel, PerRequestFace face, LinkContext context, boolean again) {
        this.channel = channel;
        this.face = face;
        this.context = context;
        this.headers = channel.context().hasHeaders();
        this.listening =
                new Listening(
                        channel.connection(),
                        context.peer(),
                        face,
                        tasks -> claim(tasks).meta(),
                        this::wanted,
                        context.client()::missedChanges,
                        context.client()::changesGranted,
                        again,
                        context.timers());
        channel.listenBy(listening);
        if (wantsChanges()) {
            listening.changed();
        }
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
        boolean mayBeKept = options.cache == ResponseCache.Use.NORMAL;
        R kept =
                mayBeKept
                        ? context.cache().find(method, params, options.headers).orElse(null)
                        : null;
        if (kept != null) {
            return kept;
        }
        if (method.name().endsWith(LIST)) {
            listening.awaitFirst();
        }
        boolean ofTasks = TasksExtension.CAPABILITY.equals(method.capability());
        return switch (outcome(method, params, options, ofTasks)) {
            case Outcome.Complete<R> complete -> complete.result();
            case Outcome<R> other -> throw unwantedTask(method);
        };
    }

    /**
     * Sends a request and waits for its outcome, over as many rounds as it takes.
     *
     * @param tasks whether the request declares that this client knows tasks
     * @throws dev.fairlead.jsonrpc.CallException if the server does not stop asking
     */
    private <P extends RequestParams, R extends Result> Outcome<R> outcome(
            Method<P, R> method, P params, CallOptions options, boolean tasks)
            throws InterruptedException {
        long askedAt = context.cache().version();
        Claim claim = claim(tasks);
        RequestRounds rounds = rounds(method.name(), withHeaders(params), options);
        Round round = options.ongoing().first();
        while (true) {
            RawJson raw = rounds.send(round, token -> params(method, params, claim, token));
            options.count(raw);
            Outcome<R> outcome = face.readOutcome(method, raw);
            if (outcome instanceof Outcome.InputRequired<R> required) {
                round = rounds.next(round, required.input(), params.meta());
                continue;
            }
            channel.answered();
            if (outcome instanceof Outcome.Complete<R> complete
                    && round.isFirst()
                    && options.cache != ResponseCache.Use.NONE) {
                context.cache()
                        .keep(method, params, options.headers, complete.result(), raw, askedAt);
            }
            return outcome;
        }
    }

    private RequestRounds rounds(
            String method, @Nullable CallToolRequest tool, CallOptions options) {
        return new RequestRounds(channel, context, method, tool, options);
    }

    @Override
    public boolean hasRounds() {
        return true;
    }

    @Override
    public <P extends RequestParams, R extends Result> Outcome<R> round(
            Method<P, R> method, P params, Round round, CallOptions given)
            throws InterruptedException {
        channel.require(method);
        CallOptions options = given.begun(context.timers());
        Claim claim = claim(false);
        RequestRounds rounds = rounds(method.name(), withHeaders(params), options);
        RawJson raw = rounds.send(round, token -> params(method, params, claim, token));
        Outcome<R> outcome = face.readOutcome(method, raw);
        channel.answered();
        if (outcome instanceof Outcome.TaskCreated<R>) {
            throw unwantedTask(method);
        }
        if (outcome instanceof Outcome.InputRequired<R> required) {
            rounds.requireUsable(required.input());
        }
        return outcome;
    }

    private static InvalidResultException unwantedTask(Method<?, ?> method) {
        return new InvalidResultException(
                method.name() + " was answered with a task, which it did not allow", null);
    }

    @Override
    public JsonObject callRaw(String method, JsonObject params, CallOptions given)
            throws InterruptedException {
        Method<?, ?> known = face.method(method, Side.SERVER).orElse(null);
        if (known != null) {
            channel.require(known);
        }
        CallOptions options = given.begun(context.timers());
        JsonObject meta = claim(method.startsWith("tasks/")).meta();
        JsonObject own = params.get(META) instanceof JsonObject meant ? meant : JsonObject.EMPTY;
        JsonObject sent = params.with(META, own.with(meta));
        RequestRounds rounds = rounds(method, withHeaders(method, params), options);
        Round round = options.ongoing().first();
        while (true) {
            RawJson raw =
                    rounds.send(round, token -> RawJson.of(SessionLink.withToken(sent, token)));
            JsonObject result = (JsonObject) raw.value(); // the message parser takes no other
            Outcome<?> outcome =
                    known == null || PerRequestFace.isComplete(result)
                            ? null
                            : face.readOutcome(known, raw);
            if (known != null && outcome instanceof Outcome.InputRequired<?> required) {
                round = rounds.next(round, required.input(), own);
                continue;
            }
            if (known != null && outcome instanceof Outcome.TaskCreated<?>) {
                throw unwantedTask(known);
            }
            channel.answered();
            return result;
        }
    }

    @Override
    public Method<EmptyParams, ? extends Result> pingMethod() {
        return Methods.DISCOVER;
    }

    // ---- parameters

    /**
     * The description of this client in {@code _meta}.
     *
     * @param json of {@code meta}
     */
    private record Claim(
            @Nullable LoggingLevel level, boolean tasks, JsonObject meta, RawJson json) {}

    /** Returns the description of this client now, which most requests repeat. */
    private Claim claim(boolean tasks) {
        LoggingLevel wanted = context.wantedLevel();
        Claim last = claimed;
        if (last == null || last.level() != wanted || last.tasks() != tasks) {
            JsonObject meta = context.settings().requestMeta(face.revision(), wanted, tasks);
            last = new Claim(wanted, tasks, meta, RawJson.of(meta));
            claimed = last;
        }
        return last;
    }

    private <P extends RequestParams> RawJson params(
            Method<P, ?> method, P params, Claim claim, @Nullable ProgressToken token) {
        JsonObject own = params.meta();
        if (own != null) {
            P sent = method.params().cast(params.withMeta(own.with(claim.meta())));
            return face.writeParams(method, sent, token);
        }
        return face.writeParams(method, params, claim.json(), token);
    }

    /**
     * Returns the call of a tool whose arguments are repeated in headers; null for no such call.
     */
    private @Nullable CallToolRequest withHeaders(RequestParams params) {
        return headers && params instanceof CallToolRequest call ? call : null;
    }

    private @Nullable CallToolRequest withHeaders(String method, JsonObject params) {
        return method.equals(Methods.CALL_TOOL.name())
                        && params.get("name") instanceof JsonString tool
                        && params.get("arguments") instanceof JsonObject arguments
                ? withHeaders(new CallToolRequest(tool.value(), arguments))
                : null;
    }

    @Override
    public boolean repeatsArguments() {
        return headers;
    }

    // ---- tools as tasks

    @Override
    public boolean takesTaskCalls() {
        return TasksExtension.isDeclaredBy(server().capabilities());
    }

    /** Accepts every tool as a task: the server decides, not the definition. */
    @Override
    public void requireTaskSupport(String tool, Optional<TaskSupport> support) {}

    @Override
    public boolean startsAsTask(CallToolRequest call, Optional<TaskSupport> support) {
        return (context.settings().acceptTasks || call.task() != null) && takesTaskCalls();
    }

    @Override
    public TaskNeed taskNeed(JsonRpcException refusal) {
        return TasksExtension.isMissingIn(refusal) ? TaskNeed.ALWAYS : TaskNeed.NONE;
    }

    /** Logs once that a time to live which the caller asks for has no effect. */
    @Override
    public CallToolRequest allowingTask(CallToolRequest call) {
        TaskMetadata task = call.task();
        if (task != null && task.ttl() != null && ttlNoted.compareAndSet(false, true)) {
            LOGGER.log(
                    Level.WARNING,
                    "A task is not kept for the {0} ms that were asked for: under revision"
                            + " 2026-07-28 the server decides (getTask returns its ttl); leave"
                            + " withTaskTtl out",
                    String.valueOf(task.ttl()));
        }
        return call;
    }

    @Override
    public Outcome<RawJson> callAsTask(
            CallToolRequest call, CallOptions options, @Nullable Consumer<ProgressToken> token)
            throws InterruptedException {
        Method<CallToolRequest, CallToolResult> method = Methods.CALL_TOOL;
        channel.require(method);
        if (!takesTaskCalls()) {
            throw CapabilityException.missing(TasksExtension.CAPABILITY, "a call as a task");
        }
        CallOptions patient =
                options.withTimeout(options.maximum, options.maximum).begun(context.timers());
        return switch (outcome(method, call.withTask(null), patient, true)) {
            case Outcome.TaskCreated<CallToolResult> created ->
                    new Outcome.TaskCreated<>(created.task());
            case Outcome.Complete<CallToolResult> complete ->
                    Outcome.complete(face.writeResult(method, complete.result()));
            case Outcome.InputRequired<CallToolResult> required ->
                    throw new AssertionError("rounds end with a result");
        };
    }

    // ---- the state of the server's side

    /** Nothing is sent: each request contains the level. */
    @Override
    public void setLevel(LoggingLevel level, Caller caller) {
        if (!server().capabilities().logging()) {
            throw CapabilityException.missing("logging", "a level of log messages");
        }
    }

    @Override
    public void watch(String uri, Caller caller, Duration timeout) throws InterruptedException {
        if (!server().capabilities().resourcesSubscribe()) {
            throw CapabilityException.missing("resources.subscribe", "watching a resource");
        }
        long mark = listening.changed();
        if (!listening.await(mark, timeout).uris().contains(uri)) {
            throw JsonRpcException.invalidParams(
                    "The server does not offer the changes of resource " + Printable.excerpt(uri));
        }
        context.cache().forgetResource(uri); // changes until now came without a notification
    }

    @Override
    public void unwatch(String uri, Caller caller) {
        listening.changed();
    }

    private NotificationFilter wanted() {
        return context.client().wantedChanges(server().capabilities());
    }

    @Override
    public void changesWanted() {
        listening.changed();
    }

    @Override
    public boolean wantsChanges() {
        return !wanted().equals(new NotificationFilter());
    }

    @Override
    public void stopListening() {
        listening.close();
    }

    /** Nothing is sent: the server asks for the roots when it needs them. */
    @Override
    public void rootsChanged() {}

    /** Nothing is sent: each request and the stream of changes have the state. */
    @Override
    public void restore() {}

    @Override
    public boolean isReplaceable() {
        return true;
    }
}
