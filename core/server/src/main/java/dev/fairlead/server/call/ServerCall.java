package dev.fairlead.server.call;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.peer.AttachedMeta;
import dev.fairlead.peer.CallContext;
import dev.fairlead.peer.CreatedTasks;
import dev.fairlead.peer.IncomingCall;
import dev.fairlead.peer.SessionTasks;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.SessionInfo;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;
import dev.fairlead.protocol.engine.Cancellation;
import dev.fairlead.protocol.engine.IncomingRequest;
import dev.fairlead.protocol.engine.RequestSubject;
import dev.fairlead.protocol.headers.ParameterHeaders;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.mrtr.InputRequiredResult;
import dev.fairlead.protocol.time.Durations;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.server.handler.Action;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.ClientSession;
import dev.fairlead.server.handler.InputRequiredException;
import dev.fairlead.server.handler.Question;
import dev.fairlead.server.handler.Retry;
import dev.fairlead.server.notifications.HandlerNotifier;
import dev.fairlead.server.notifications.ReservedNotifications;
import dev.fairlead.server.notifications.SentReports;
import dev.fairlead.server.requests.ClientRequest;
import dev.fairlead.server.requests.Concurrently;
import dev.fairlead.server.requests.Questions;
import dev.fairlead.server.requests.Rounds;
import dev.fairlead.server.requeststate.StateBinding;
import dev.fairlead.tasks.engine.TaskRequest;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;

/** A request of the client while its handler runs: what {@link Call} promises, joined together. */
public final class ServerCall extends HandlerCall implements IncomingCall {
    private static final System.Logger LOGGER = System.getLogger(ServerCall.class.getName());

    /** How long a handler may take to end after it was interrupted because its time is over. */
    public static final Duration GRACE = Duration.ofSeconds(5);

    /** A header that requests over HTTP have, and no others. */
    private static final String VERSION = "MCP-Protocol-Version";

    /** The methods whose results may be questions. */
    private static final Set<String> ASKING =
            Set.of(
                    Methods.CALL_TOOL.name(),
                    Methods.GET_PROMPT.name(),
                    Methods.READ_RESOURCE.name());

    private final ClientChannel channel;
    private final IncomingRequest request;
    private final @Nullable ToolTarget target;
    private final Instant start;
    private HandlerNotifier notifier;
    private volatile @Nullable AttachedMeta meta;
    private @Nullable CallRecord record; // guarded by this
    private volatile boolean mayStartTask;
    private volatile boolean startsTask;
    private volatile boolean ended;
    private @Nullable Rounds rounds; // null: the client is asked by requests
    private volatile Instant deadline;
    private Timers.@Nullable Timer timer;
    private final CreatedTasks createdTasks = new CreatedTasks(this);
    private final List<Runnable> afterAnswer = new ArrayList<>(0); // confined to its thread

    public ServerCall(
            ClientChannel channel,
            RequestContext client,
            IncomingRequest request,
            @Nullable ToolTarget target) {
        super(client, channel.server().settings().replaying);
        this.channel = channel;
        this.request = request;
        this.target = target;
        this.meta = client.attached();
        this.notifier = notifier(null);
        this.start = channel.server().timers().clock().instant();
        this.deadline = start;
    }

    private HandlerNotifier notifier(SentReports.@Nullable Kept earlier) {
        return new HandlerNotifier(
                new CallWay(request, channel, clientContext(), this::progressToken),
                face(),
                settings().notificationsPerSecond,
                channel.server().timers(),
                new SentReports(() -> record().base(), earlier));
    }

    public ClientChannel channel() {
        return channel;
    }

    @Override
    public Object callerKey() {
        Caller caller = caller();
        return caller.isAnonymous() ? channel.key() : List.of(caller.issuer(), caller.subject());
    }

    /**
     * Returns the tool and the arguments that {@code tools/call} names.
     *
     * @throws JsonRpcException {@code -32602} if the parameters name none
     */
    public ToolTarget target() {
        return target == null ? ToolTarget.read(request.params()) : target;
    }

    /**
     * Returns whether headers may repeat arguments: those of requests of revision 2026-07-28 over
     * HTTP.
     */
    public boolean hasParameterHeaders() {
        return revision().era() == Era.PER_REQUEST && !headers(VERSION).isEmpty();
    }

    /**
     * Compares headers with the arguments that the client sent.
     *
     * @throws dev.fairlead.protocol.RequestRefusedException {@code -32020} if one differs
     */
    public void check(ParameterHeaders headers) {
        headers.check(target().arguments(), this::headers);
    }

    @Override
    public ServerSettings settings() {
        return channel.server().settings();
    }

    @Override
    public Optional<ClientSession> clientSession() {
        return SessionView.of(channel, face());
    }

    @Override
    public Optional<SessionInfo> sessionInfo() {
        return channel.info();
    }

    @Override
    public IncomingRequest request() {
        return request;
    }

    @Override
    public void notify(JsonRpcNotification notification) {
        request.send(notification);
    }

    // ---- the time for this call

    /** Sets how long this call may take from its start. */
    public void limit(Duration timeout) {
        if (timer != null) {
            timer.cancel();
        }
        deadline = Timers.later(start, timeout);
        timer = channel.server().timers().schedule(timeout, () -> expire(timeout));
    }

    @Override
    public void withoutLimit() {
        if (timer != null) {
            timer.cancel();
        }
        deadline = Instant.MAX;
    }

    /** Interrupts the handler, and answers for one that does not mind. */
    private void expire(Duration timeout) {
        String reason = "it did not end within " + Durations.text(timeout);
        if (request.cancel(new Cancellation(Cancellation.Cause.DEADLINE, reason))) {
            JsonRpcError error =
                    new JsonRpcError(
                            ErrorCode.INTERNAL_ERROR, "The request was given up: " + reason);
            channel.server()
                    .timers()
                    .schedule(
                            GRACE,
                            () ->
                                    Thread.ofVirtual()
                                            .name("mcp-given-up")
                                            .start(() -> giveUp(error)));
        }
    }

    private void giveUp(JsonRpcError error) {
        try {
            if (request.answerInstead(new JsonRpcErrorResponse(request.id(), error))) {
                LimitedLog.log(
                        LOGGER,
                        Level.WARNING,
                        "",
                        "Handler for {0} ignored interruption after its timeout",
                        request.method());
            }
        } catch (ConnectionException e) {
            LOGGER.log(Level.DEBUG, "A response was not delivered: {0}", e.getMessage());
        }
    }

    /** What unwinds a handler must not reach a thread that it left behind. */
    private void requireRunning(String what) {
        if (ended) {
            throw ended(what);
        }
    }

    private IllegalStateException ended(String what) {
        return new IllegalStateException(
                RequestSubject.of(method(), request.params())
                        + " has ended and cannot "
                        + what
                        + "; use it before its handler returns");
    }

    /** The tasks that this call becomes. */
    public CreatedTasks createdTasks() {
        return createdTasks;
    }

    /** The handler is done: no more notifications are sent. */
    public void end() {
        ended = true;
        if (timer != null) {
            timer.cancel();
        }
        notifier.end();
    }

    // ---- what is known

    @Override
    public Owner owner() {
        return channel.owner(caller());
    }

    @Override
    public SessionTasks tasks() {
        SessionTasks tasks = channel.tasks();
        if (tasks == null) {
            throw JsonRpcException.methodNotFound(method());
        }
        return tasks;
    }

    @Override
    public CallContext context() {
        return new InboundContext(
                request,
                channel,
                clientContext(),
                this::meta,
                rounds == null ? 1 : rounds.number());
    }

    @Override
    public String method() {
        return request.method();
    }

    @Override
    public List<String> headers(String name) {
        return request.exchange().header(name);
    }

    @Override
    public Instant deadline() {
        return deadline;
    }

    @Override
    public boolean isCancelled() {
        return request.cancellation().isPresent();
    }

    @Override
    public Optional<String> cancellationReason() {
        return request.cancellation().map(Cancellation::reason);
    }

    public @Nullable ProgressToken progressToken() {
        return wholeMeta().progressToken();
    }

    private AttachedMeta wholeMeta() {
        AttachedMeta known = meta;
        if (known == null) {
            known = AttachedMeta.of(request.params());
            meta = known;
        }
        return known;
    }

    @Override
    public JsonObject meta() {
        return wholeMeta().rest();
    }

    @Override
    public boolean wantsProgress() {
        return wholeMeta().progressToken() != null;
    }

    // ---- what may be sent to the client

    @Override
    public void progress(Progress progress) {
        if (wantsProgress()) {
            notifier.progress(progress);
        }
    }

    @Override
    public void log(LoggingLevel level, @Nullable String logger, JsonValue data) {
        notifier.log(level, logger, data);
    }

    @Override
    public void notify(String method, @Nullable JsonObject params) {
        ReservedNotifications.refuse(method);
        notifier.notify(
                new JsonRpcNotification(method, params == null ? null : RawJson.of(params)));
    }

    // ---- what may be done

    @Override
    public <T extends @Nullable Object, E extends Exception> T uncancellable(Action<T, E> action)
            throws E, InterruptedException {
        return HandlerCall.<T, E>declared(() -> request.uninterrupted(action::run));
    }

    @Override
    public boolean disconnect(Duration retryAfter) {
        return request.exchange().disconnect(retryAfter);
    }

    private synchronized CallRecord record() {
        if (record == null) {
            record = rounds == null ? new CallRecord() : CallRecord.of(rounds);
        }
        return record;
    }

    @Override
    protected RawJson recorded(String key, Callable<RawJson> compute) throws Exception {
        return record().once(
                        key,
                        () -> {
                            if (values().isClosed()) {
                                throw ended("record " + key);
                            }
                            return compute.call();
                        });
    }

    @Override
    protected String idempotencyKey(String key) {
        return record().idempotencyKey(key);
    }

    // ---- what may be asked

    @Override
    protected List<RawJson> send(List<ClientRequest<?>> questions) throws InterruptedException {
        if (rounds != null) {
            requireRunning("ask its client");
            return rounds.ask(questions);
        }
        return Concurrently.all(
                questions, question -> channel.ask(question, face(), request.exchange()));
    }

    /**
     * Has the client asked in rounds from here on.
     *
     * @throws JsonRpcException {@code -32602} if the request is a retry that is refused
     */
    public void askInRounds() {
        if (!ASKING.contains(method())) {
            return;
        }
        ServerSettings settings = settings();
        RawJson params = request.params();
        rounds =
                new Rounds(
                        params,
                        () ->
                                new StateBinding(
                                        settings.requestState.audience(),
                                        caller(),
                                        method(),
                                        member(
                                                params,
                                                method().equals("resources/read") ? "uri" : "name"),
                                        arguments(params)),
                        channel.transport().equals("http"),
                        channel.server().requestStates());
        notifier = notifier(rounds.reports());
    }

    @Override
    public boolean startsAgain() {
        return rounds != null;
    }

    /** Returns whether the request brings answers to questions of its handler, or their state. */
    public boolean isRetry() {
        return rounds != null && rounds.isRetry();
    }

    /** Returns the rounds of the request; null if the client is asked by other ways. */
    @Nullable Rounds rounds() {
        return rounds;
    }

    Rounds requireRounds() {
        return Objects.requireNonNull(rounds, "the client is not asked in rounds");
    }

    /**
     * Has an action run after the answer, beside others; see {@link IncomingRequest#afterAnswer}.
     */
    void afterAnswer(Runnable action) {
        if (afterAnswer.isEmpty()) {
            request.afterAnswer(() -> afterAnswer.forEach(Runnable::run));
        }
        afterAnswer.add(action);
    }

    private static String member(@Nullable RawJson params, String name) {
        RawJson value = params == null ? null : params.member(name);
        return value == null ? "" : Objects.requireNonNullElse(value.string(), "");
    }

    private static RawJson arguments(@Nullable RawJson params) {
        RawJson arguments = params == null ? null : params.member("arguments");
        return arguments != null && arguments.isObject() ? arguments : RawJson.EMPTY_OBJECT;
    }

    @Override
    public @Nullable InputRequiredResult inputRequired(Throwable failure)
            throws InterruptedException {
        if (rounds == null) {
            return null;
        }
        JsonValue own = null;
        if (failure instanceof InputRequiredException needed) {
            own = needed.state();
            rounds.open(Questions.of(this).leaving(needed.questions()));
        } else if (failure instanceof UrlElicitationRequiredException pages
                && rounds.responsesToPages().stream().noneMatch(HandlerCall::isRefusal)) {
            rounds.open(
                    Questions.of(this)
                            .leaving(
                                    pages.elicitations().stream()
                                            .<Question<?>>map(Question::elicit)
                                            .toList()));
        } else if (rounds.hasOpenQuestions()) {
            own = keepEntry(rounds);
        }
        if (!rounds.hasOpenQuestions() && own == null) {
            return null;
        }
        values().close();
        CallRecord recorded = record();
        return rounds.result(recorded.base(), recorded.values(), own, notifier.sent());
    }

    /**
     * Keeps the answers with which the handler was entered after it threw questions: its next run
     * needs the same.
     *
     * @return the state that it threw; null for none
     */
    private @Nullable JsonValue keepEntry(Rounds asking) {
        // without a state the answers may be to anything
        Optional<Retry> entry = asking.number() == 1 ? super.retry() : retry();
        entry.ifPresent(known -> asking.keepEntry(known.answers()));
        return entry.map(Retry::state).orElse(null);
    }

    @Override
    protected void nextRun() {
        notifier.nextRun();
    }

    @Override
    void beforeBody() {
        if (rounds != null) {
            reopenValues();
            rounds.restart();
        }
    }

    /** Sessions have an error for pages, and other methods cannot ask. */
    @Override
    @Nullable Callable<Retry> reentry(Throwable failure) {
        return rounds != null || failure instanceof UrlElicitationRequiredException
                ? null
                : super.reentry(failure);
    }

    /** Lets the handler make this call a task. */
    public void mayStartTask() {
        mayStartTask = true;
    }

    @Override
    public void startTask() {
        if (mayStartTask) {
            requireRunning("become a task");
            startsTask = true;
            throw new TaskStart();
        }
    }

    @Override
    public boolean startsTask() {
        return startsTask;
    }

    /** Returns what the client was asked and has answered, in the order in which it was asked. */
    public List<TaskRequest.Answered> answered() {
        return rounds == null ? List.of() : rounds.answered();
    }

    /** Returns the values that were recorded; no other is computed from then on. */
    public Map<String, RawJson> recordedValues() {
        values().close();
        Map<String, RawJson> values = new HashMap<>();
        record().values().forEach((key, value) -> values.put(key, value.detached()));
        return values;
    }

    /** Returns the base of the idempotency keys. */
    public String idempotencyBase() {
        return record().base();
    }

    @Override
    public void requireNoOpenQuestion() {
        super.requireNoOpenQuestion();
        if (startsTask) {
            throw new JsonRpcException(
                    ErrorCode.INTERNAL_ERROR,
                    "The handler returned although it had started a task");
        }
        if (rounds != null && rounds.hasOpenQuestions()) {
            LimitedLog.log(
                    LOGGER,
                    Level.ERROR,
                    "",
                    "The handler of {0} returned although it had asked its client ({1}): it must"
                            + " let the Error pass that asking throws",
                    RequestSubject.of(method(), request.params()),
                    rounds.openForLog());
            throw endedBeforeAnswer();
        }
    }

    @Override
    public Optional<Retry> retry() {
        return rounds == null ? super.retry() : super.retry().or(rounds::retry);
    }
}
