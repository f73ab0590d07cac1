package dev.fairlead.server.tasks;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.SessionInfo;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.face.NeutralForm;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.Durations;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.server.call.HandlerCall;
import dev.fairlead.server.call.ServerContext;
import dev.fairlead.server.call.ServerSettings;
import dev.fairlead.server.handler.Action;
import dev.fairlead.server.handler.ClientSession;
import dev.fairlead.server.handler.Retry;
import dev.fairlead.server.notifications.HandlerNotifier;
import dev.fairlead.server.notifications.ReservedNotifications;
import dev.fairlead.server.notifications.SentReports;
import dev.fairlead.server.requests.ClientRequest;
import dev.fairlead.server.requests.QuestionProgress;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.engine.RunQuestion;
import dev.fairlead.tasks.engine.TaskContext;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The call of a tool that runs as a task: without a request, and perhaps without a session. It has
 * the same data in every run.
 */
public final class TaskCall extends HandlerCall {
    private final ServerContext server;
    private final TaskContext context;
    private final TaskOrigin origin;
    private final QuestionProgress questionProgress;
    private final TaskWay way;
    private final HandlerNotifier notifier;
    private final ReentrantLock asking = new ReentrantLock(); // the engine counts the questions
    private final @Nullable Duration pollEvery;
    private volatile boolean parked;

    public TaskCall(
            ServerContext server,
            TaskContext context,
            TaskOrigin origin,
            @Nullable Duration timeout,
            @Nullable Duration pollEvery) {
        super(origin.context(new TaskWay(context)::wantsLog), server.settings().replaying);
        this.server = server;
        this.context = context;
        this.origin = origin;
        this.questionProgress = server.questionProgress();
        this.way = new TaskWay(context);
        this.notifier =
                new HandlerNotifier(
                        way,
                        face(),
                        server.settings().notificationsPerSecond,
                        server.timers(),
                        new SentReports(() -> idempotencyKey("log"), null));
        this.pollEvery = pollEvery;
        if (timeout != null) {
            limit(timeout);
        }
    }

    private void limit(Duration timeout) {
        String text = "The tool was stopped: it did not end within " + Durations.text(timeout);
        RawJson result = NeutralForm.writeResult(Methods.CALL_TOOL, CallToolResult.failure(text));
        context.limit(timeout, new TaskOutcome.Result(result, true));
    }

    @Override
    protected void nextRun() {
        notifier.nextRun();
    }

    /** The handler is done: no more notifications are sent. */
    public void end() {
        notifier.end();
    }

    @Override
    public ServerSettings settings() {
        return server.settings();
    }

    // ---- what is known

    @Override
    public Object callerKey() {
        return context.task().owner();
    }

    @Override
    public Optional<SessionInfo> sessionInfo() {
        return Optional.empty();
    }

    @Override
    public String method() {
        return context.task().method();
    }

    /** The one that can be reached now. */
    @Override
    public Optional<ClientSession> clientSession() {
        return way.session(face());
    }

    @Override
    public List<String> headers(String name) {
        return List.of();
    }

    @Override
    public JsonObject meta() {
        return origin.meta() == null ? JsonObject.EMPTY : origin.meta();
    }

    @Override
    public boolean wantsProgress() {
        return context.task().progressToken() != null;
    }

    @Override
    public Instant deadline() {
        return context.deadline();
    }

    @Override
    public boolean isCancelled() {
        return context.isStopped();
    }

    @Override
    public Optional<String> cancellationReason() {
        return context.stopReason();
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
        notify(new JsonRpcNotification(method, params == null ? null : RawJson.of(params)));
    }

    @Override
    public void notify(JsonRpcNotification notification) {
        notifier.notify(notification);
    }

    // ---- what may be done

    @Override
    public <T extends @Nullable Object, E extends Exception> T uncancellable(Action<T, E> action)
            throws E, InterruptedException {
        return HandlerCall.<T, E>declared(() -> context.uninterrupted(action::run));
    }

    @Override
    public boolean disconnect(Duration retryAfter) {
        return false;
    }

    // ---- tasks

    @Override
    public Optional<TaskId> task() {
        return Optional.of(context.task().id());
    }

    @Override
    public void status(String message) {
        context.status(Objects.requireNonNull(message, "message"));
    }

    @Override
    @SuppressWarnings("NullAway") // what a handler gives whose task is parked is not looked at
    public <T extends @Nullable Object> T park(String job) {
        context.park(Objects.requireNonNull(job, "job"), pollEvery);
        parked = true;
        return null;
    }

    @Override
    public boolean isParked() {
        return parked;
    }

    @Override
    protected RawJson recorded(String key, Callable<RawJson> compute) throws Exception {
        return context.once(key, compute);
    }

    @Override
    protected String idempotencyKey(String key) {
        String base = origin.base();
        return base == null ? context.idempotencyKey(key) : idempotencyKey(base, key);
    }

    /** What this run was entered with last, else what the call was that became the task. */
    @Override
    public Optional<Retry> retry() {
        return super.retry().or(() -> Optional.ofNullable(origin.retry()));
    }

    // ---- what may be asked

    @Override
    protected List<RawJson> send(List<ClientRequest<?>> questions) throws InterruptedException {
        List<RunQuestion> inputs =
                questions.stream()
                        .map(each -> new RunQuestion(each.method().name(), each.neutral()))
                        .toList();
        asking.lockInterruptibly();
        try {
            questionProgress.listen(context.task().id(), questions.get(0).listener());
            return values(questions, context.ask(inputs));
        } finally {
            questionProgress.listen(context.task().id(), null);
            asking.unlock();
        }
    }

    /** Returns the answers; fails with the one that failed and not with those that it withdrew. */
    private static List<RawJson> values(
            List<ClientRequest<?>> questions, List<TaskOutcome> answers) {
        List<RawJson> values = new ArrayList<>();
        JsonRpcException failed = null;
        for (int i = 0; i < answers.size(); i++) {
            switch (answers.get(i)) {
                case TaskOutcome.Result result -> values.add(result.value());
                case TaskOutcome.Error error -> {
                    if (failed == null || failed.error().equals(TaskQuestion.WITHDRAWN.error())) {
                        failed =
                                new JsonRpcException(error.error(), null)
                                        .answering(questions.get(i).method().name());
                    }
                }
            }
        }
        if (failed != null) {
            throw failed;
        }
        return values;
    }

    @Override
    public <R extends Result> R read(Method<?, R> method, RawJson result) {
        return NeutralForm.readResult(method, result);
    }
}
