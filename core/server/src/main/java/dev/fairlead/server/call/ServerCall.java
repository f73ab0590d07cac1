package dev.fairlead.server.call;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.ErrorCode;
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
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.SessionInfo;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.base.ProgressNotification;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.engine.Cancellation;
import dev.fairlead.protocol.engine.IncomingRequest;
import dev.fairlead.protocol.engine.RequestSubject;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.headers.ParameterHeaders;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.mrtr.InputRequiredResult;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.server.handler.ClientSession;
import dev.fairlead.server.handler.Retry;
import dev.fairlead.server.notifications.HandlerNotifier;
import dev.fairlead.server.notifications.SentReports;
import dev.fairlead.server.requests.QuestionCarrier;
import dev.fairlead.server.requests.Rounds;
import dev.fairlead.server.requeststate.StateBinding;
import dev.fairlead.server.requeststate.StateContent;
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
import java.util.function.Consumer;

/**
 * A request of the client while it is answered. Its notifications go on the stream of its response,
 * its questions to the session or into rounds.
 */
public final class ServerCall implements IncomingCall, CallScope, HandlerNotifier.Way {
    private static final System.Logger LOGGER = System.getLogger(ServerCall.class.getName());

    /** A header that requests over HTTP have, and no others. */
    private static final String VERSION = "MCP-Protocol-Version";

    /** The methods whose results may be questions. */
    private static final Set<String> ASKING =
            Set.of(
                    Methods.CALL_TOOL.name(),
                    Methods.GET_PROMPT.name(),
                    Methods.READ_RESOURCE.name());

    private final ClientChannel channel;
    private final RequestContext client;
    private final IncomingRequest request;
    private final @Nullable ToolTarget target;
    private final @Nullable Rounds rounds; // null: the client is asked by requests
    private final HandlerNotifier notifier;
    private final CallTimeout timeout;
    private final CreatedTasks createdTasks = new CreatedTasks(this);
    private final List<Runnable> afterAnswer = new ArrayList<>(0); // confined to its thread
    private @Nullable HandlerCall call; // confined to its thread
    private volatile @Nullable AttachedMeta meta;
    private @Nullable CallRecord record; // guarded by this
    private volatile boolean mayStartTask;
    private volatile boolean startsTask;
    private volatile boolean ended;
    private volatile @Nullable Progress latestProgress;
    private @Nullable Outcome<?> answer; // confined to its thread

    /**
     * @param inRounds whether the client is asked by the result, if the method can ask
     * @throws JsonRpcException {@code -32602} if the request is a retry that is refused
     */
    public ServerCall(
            ClientChannel channel,
            RequestContext client,
            IncomingRequest request,
            @Nullable ToolTarget target,
            boolean inRounds) {
        this.channel = channel;
        this.client = client;
        this.request = request;
        this.target = target;
        this.meta = client.attached();
        this.rounds = inRounds && ASKING.contains(request.method()) ? roundsOf(request) : null;
        this.timeout = new CallTimeout(request, channel.server().timers());
        this.notifier =
                new HandlerNotifier(
                        this,
                        client.face(),
                        settings().notificationsPerSecond,
                        channel.server().timers(),
                        new SentReports(() -> record().base(), before().reports()));
    }

    private Rounds roundsOf(IncomingRequest asking) {
        return new Rounds(
                asking.params(),
                () ->
                        StateBinding.of(
                                settings().requestState.audience(),
                                client.caller(),
                                asking.method(),
                                asking.params()),
                channel.transport().equals("http"),
                channel.node(),
                channel.server().requestStates());
    }

    public ClientChannel channel() {
        return channel;
    }

    /** Returns the call for a handler. */
    public HandlerCall call() {
        if (call == null) {
            call = new HandlerCall(this, carrier());
        }
        return call;
    }

    // ---- the request

    @Override
    public IncomingRequest request() {
        return request;
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

    /** Sets how long this request may take from its start. */
    public void limit(Duration time) {
        timeout.set(time);
    }

    @Override
    public void withoutLimit() {
        timeout.remove();
    }

    /** Returns the tasks that this request becomes. */
    public CreatedTasks createdTasks() {
        return createdTasks;
    }

    @Override
    public void answered(Outcome<?> outcome) {
        answer = outcome;
        if (outcome instanceof Outcome.TaskCreated<?> created) {
            createdTasks.answered(created.task());
        }
    }

    /** Returns the recorded answer; null before it, and for the plain result of a tool. */
    @Nullable Outcome<?> answer() {
        return answer;
    }

    /** Ends the call, since its handler is done: it sends no more notifications. */
    public void end() {
        ended = true;
        timeout.stop();
        notifier.end();
    }

    private IllegalStateException ended(String what) {
        return new IllegalStateException(
                RequestSubject.of(method(), request.params())
                        + " has ended and cannot "
                        + what
                        + "; use it before its handler returns");
    }

    /** Refuses a signal that would unwind a thread which the handler has left behind. */
    private void requireRunning(String what) {
        if (ended) {
            throw ended(what);
        }
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
                request, channel, client, this::meta, rounds == null ? 1 : rounds.number());
    }

    // ---- the scope

    @Override
    public ServerSettings settings() {
        return channel.server().settings();
    }

    @Override
    public RequestContext client() {
        return client;
    }

    @Override
    public WireFace face() {
        return client.face();
    }

    @Override
    public Object callerKey() {
        return keyOr(channel.key());
    }

    @Override
    public Object countedFor() {
        return keyOr(channel.countedFor());
    }

    private Object keyOr(Object anonymous) {
        Caller caller = caller();
        return caller.isAnonymous() ? anonymous : List.of(caller.issuer(), caller.subject());
    }

    @Override
    public Optional<ClientSession> session() {
        return SessionView.of(channel, face());
    }

    @Override
    public Optional<SessionInfo> sessionInfo() {
        return channel.info();
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
        return timeout.deadline();
    }

    /** Returns when the request began. */
    Instant began() {
        return timeout.start();
    }

    @Override
    public boolean isCancelled() {
        return request.cancellation().isPresent();
    }

    @Override
    public Optional<String> cancellationReason() {
        return request.cancellation().map(Cancellation::reason);
    }

    private AttachedMeta wholeMeta() {
        AttachedMeta known = meta;
        if (known == null) {
            known = AttachedMeta.of(request.params());
            meta = known;
        }
        return known;
    }

    public @Nullable ProgressToken progressToken() {
        return wholeMeta().progressToken();
    }

    @Override
    public JsonObject meta() {
        return wholeMeta().rest();
    }

    @Override
    public boolean wantsProgress() {
        return progressToken() != null;
    }

    @Override
    public <T extends @Nullable Object> T uninterrupted(Callable<T> action) throws Exception {
        return request.uninterrupted(action);
    }

    @Override
    public boolean disconnect(Duration retryAfter) {
        return request.exchange().disconnect(retryAfter);
    }

    private synchronized CallRecord record() {
        if (record == null) {
            record = new CallRecord(before(), this::ended);
        }
        return record;
    }

    @Override
    public RawJson recorded(String key, Callable<RawJson> compute) throws Exception {
        return record().once(key, compute);
    }

    @Override
    public String idempotencyKey(String key) {
        return ComputedValue.idempotencyKey(record().base(), key);
    }

    // ---- its questions

    private QuestionCarrier carrier() {
        if (channel instanceof SessionChannel session) {
            return new PushCarrier(session, face(), request.exchange());
        }
        return questions -> {
            requireRunning("ask its client");
            if (rounds == null) {
                throw new IllegalStateException(
                        questions.getFirst().method() + " cannot be asked during this request");
            }
            return rounds.ask(questions);
        };
    }

    /** Returns the channel of the session, for methods that only sessions have. */
    public SessionChannel requireSession() {
        return (SessionChannel) channel;
    }

    @Override
    public @Nullable Rounds rounds() {
        return rounds;
    }

    /** Returns the state of the rounds before; {@link StateContent#NONE} where there are none. */
    private StateContent before() {
        return rounds == null ? StateContent.NONE : rounds.before();
    }

    Rounds requireRounds() {
        return Objects.requireNonNull(rounds, "the client is not asked in rounds");
    }

    /** Returns whether the request brings answers to questions of its handler, or their state. */
    public boolean isRetry() {
        return rounds != null && rounds.isRetry();
    }

    @Override
    public Optional<Retry> entry() {
        return rounds == null ? Optional.empty() : rounds.retry();
    }

    /** Has values computed that were not recorded before, in another run in this round. */
    synchronized void reopen() {
        if (record != null) {
            record.reopen();
        }
    }

    @Override
    public void nextRun() {
        notifier.nextRun();
    }

    /**
     * Returns the questions of this round, in place of a result.
     *
     * @param state of the handler; null for none
     */
    InputRequiredResult result(Rounds asked, @Nullable JsonValue state) {
        Map<String, RawJson> values = record().close();
        return asked.result(record().base(), values, state, notifier.sent());
    }

    /**
     * Checks that a body which returned has left no question open, and its call no task.
     *
     * @throws JsonRpcException {@code -32603} if it has
     */
    void requireNoOpenQuestion() {
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
            throw HandlerCall.endedBeforeAnswer();
        }
    }

    // ---- a task in its place

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

    /** Returns the questions and answers of the client, in the order in which they were asked. */
    public List<TaskRequest.Answered> answered() {
        return rounds == null ? List.of() : rounds.answered();
    }

    /** Returns the values that were recorded; no other is computed from then on. */
    public Map<String, RawJson> recordedValues() {
        Map<String, RawJson> values = new HashMap<>(record().close());
        values.replaceAll((key, value) -> value.detached());
        return values;
    }

    /** Returns the base of the idempotency keys. */
    public String idempotencyBase() {
        return record().base();
    }

    // ---- its notifications

    @Override
    public void send(Consumer<HandlerNotifier> action) {
        action.accept(notifier);
    }

    @Override
    public boolean isOpen() {
        return request.exchange().isStreaming();
    }

    @Override
    public boolean wantsLog(LoggingLevel level) {
        return client.wantsLog(level);
    }

    /** Returns the latest progress that the handler sent; null for none. */
    @Nullable Progress latestProgress() {
        return latestProgress;
    }

    @Override
    public void progress(Progress progress) {
        latestProgress = progress;
        ProgressToken token = progressToken();
        if (token != null) {
            log(
                    face().notification(
                                    Notifications.PROGRESS,
                                    ProgressNotification.of(token, progress)));
        }
    }

    @Override
    public void log(JsonRpcNotification message) {
        try {
            request.send(message);
        } catch (ConnectionException e) {
            LOGGER.log(Level.DEBUG, "{0} was not delivered: {1}", message.method(), e.getMessage());
        }
    }

    /** Sends outside the request if its response has no stream. */
    @Override
    public void notify(JsonRpcNotification notification) {
        if (isOpen()) {
            request.send(notification);
        } else {
            channel.notify(notification);
        }
    }
}
