package dev.fairlead.server.tasks;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.face.NeutralForm;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.time.Durations;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.server.call.CallScope;
import dev.fairlead.server.call.ComputedValue;
import dev.fairlead.server.call.RequestContext;
import dev.fairlead.server.call.ServerContext;
import dev.fairlead.server.call.ServerSettings;
import dev.fairlead.server.call.SessionChannel;
import dev.fairlead.server.call.SessionView;
import dev.fairlead.server.call.ValueLocks;
import dev.fairlead.server.handler.ClientSession;
import dev.fairlead.server.handler.Retry;
import dev.fairlead.server.notifications.HandlerNotifier;
import dev.fairlead.server.notifications.SentReports;
import dev.fairlead.server.requests.ClientRequest;
import dev.fairlead.server.requests.QuestionCarrier;
import dev.fairlead.server.requests.QuestionProgress;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.engine.RunQuestion;
import dev.fairlead.tasks.engine.TaskContext;
import dev.fairlead.tasks.receiver.PeerCarrier;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A tool that runs as a task: without a request, and perhaps without a session. It has the same
 * data in every run. Its questions are stored, and its notifications take the best carrier to the
 * requestor that is open at the time.
 */
public final class TaskScope implements CallScope, QuestionCarrier, HandlerNotifier.Way {
    private final ServerSettings settings;
    private final TaskContext context;
    private final TaskOrigin origin;
    private final RequestContext client;
    private final QuestionProgress questionProgress;
    private final HandlerNotifier notifier;
    private final ReentrantLock asking = new ReentrantLock(); // the engine counts the questions
    private final ValueLocks values = new ValueLocks();
    private final @Nullable Duration pollEvery;
    private volatile boolean parked;

    public TaskScope(
            ServerContext server,
            TaskContext context,
            TaskOrigin origin,
            @Nullable Duration timeout,
            @Nullable Duration pollEvery) {
        this.settings = server.settings();
        this.context = context;
        this.origin = origin;
        this.client = origin.context(this::wantsLog);
        this.questionProgress = server.questionProgress();
        this.notifier =
                new HandlerNotifier(
                        this,
                        client.face(),
                        settings.notificationsPerSecond,
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

    /** Ends the call, since its handler is done: it sends no more notifications. */
    public void end() {
        notifier.end();
    }

    @Override
    public ServerSettings settings() {
        return settings;
    }

    // ---- data of the request

    @Override
    public RequestContext client() {
        return client;
    }

    @Override
    public Object callerKey() {
        return context.task().owner();
    }

    @Override
    public String method() {
        return context.task().method();
    }

    /** Returns the channel to the requestor; empty if it is unreachable. */
    private Optional<SessionChannel> requestor() {
        return context.carrier() instanceof PeerCarrier way
                        && way.peer() instanceof RequestingClient client
                ? Optional.of(client.channel())
                : Optional.empty();
    }

    /** Returns the session with the requestor that can be reached now. */
    @Override
    public Optional<ClientSession> session() {
        return requestor().flatMap(channel -> SessionView.of(channel, face()));
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

    @Override
    public <T extends @Nullable Object> T uninterrupted(Callable<T> action) throws Exception {
        return context.uninterrupted(action);
    }

    // ---- the task

    @Override
    public TaskContext task() {
        return context;
    }

    @Override
    public void park(String job) {
        context.park(job, pollEvery);
        parked = true;
    }

    @Override
    public boolean isParked() {
        return parked;
    }

    @Override
    public void nextRun() {
        notifier.nextRun();
    }

    @Override
    public RawJson recorded(String key, Callable<RawJson> compute) throws Exception {
        return values.alone(key, () -> context.once(key, compute));
    }

    @Override
    public String idempotencyKey(String key) {
        String base = origin.base();
        return base == null ? context.idempotencyKey(key) : ComputedValue.idempotencyKey(base, key);
    }

    /** {@inheritDoc} The result of a question is read as it is stored. */
    @Override
    public <R extends Result> R read(Method<?, R> method, RawJson result) {
        return NeutralForm.readResult(method, result);
    }

    /** Returns the retry with which the handler began when its call became the task. */
    @Override
    public Optional<Retry> entry() {
        return Optional.ofNullable(origin.retry());
    }

    // ---- its questions

    @Override
    public List<RawJson> ask(List<ClientRequest<?>> questions) throws InterruptedException {
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

    // ---- its notifications

    @Override
    public void send(Consumer<HandlerNotifier> action) {
        action.accept(notifier);
    }

    /** Returns true also while the requestor is unreachable: progress of a task is stored. */
    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean wantsLog(LoggingLevel level) {
        return requestor().filter(channel -> channel.announcements().wantsLog(level)).isPresent();
    }

    @Override
    public void progress(Progress progress) {
        context.progress(progress);
    }

    @Override
    public void log(JsonRpcNotification message) {
        notify(message);
    }

    @Override
    public void notify(JsonRpcNotification notification) {
        if (context.carrier() instanceof PeerCarrier way) {
            way.notify(context.task(), notification);
        }
    }
}
