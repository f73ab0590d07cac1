package dev.fairlead.server.call;

import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.json.TypeRef;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.server.handler.Action;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.ClientSession;
import dev.fairlead.server.handler.Effect;
import dev.fairlead.server.handler.Question;
import dev.fairlead.server.handler.Retry;
import dev.fairlead.server.notifications.ReservedNotifications;
import dev.fairlead.server.requests.QuestionCarrier;
import dev.fairlead.server.requests.Questions;
import dev.fairlead.server.requests.Replay;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;

/** The call that a handler gets: a {@link CallScope}, and the carrier of its questions. */
public final class HandlerCall extends Questions implements Call {
    private final CallScope scope;
    private final QuestionCarrier carrier;
    private final @Nullable Replay replay; // around the carrier; null: the body runs once
    private @Nullable Retry retry; // confined to the thread of the call

    public HandlerCall(CallScope scope, QuestionCarrier carrier) {
        this(scope, carrier, isReplaying(scope) ? new Replay(carrier) : null);
    }

    private HandlerCall(CallScope scope, QuestionCarrier carrier, @Nullable Replay replay) {
        super(scope, replay == null ? carrier : replay);
        this.scope = scope;
        this.carrier = carrier;
        this.replay = replay;
    }

    private static boolean isReplaying(CallScope scope) {
        return scope.settings().replaying && !scope.isHeld() && scope.rounds() == null;
    }

    public CallScope scope() {
        return scope;
    }

    // ---- runs of the handler

    /** Has the body run only once, also where the test kit has others start again. */
    public void withoutReplay() {
        if (replay != null) {
            replay.disable();
        }
    }

    /** Returns whether the test kit has the body start again, since its client has answered. */
    boolean isToStartAgain() {
        return replay != null && replay.isDue();
    }

    /** Has the body start again from its beginning, with the answers so far. */
    void restart() {
        if (replay != null) {
            replay.restart();
        }
        beginAgain();
    }

    /** Asks the questions that a handler has thrown; it is entered again with the answers. */
    Retry askThrown(List<Question<?>> questions, @Nullable JsonValue state)
            throws InterruptedException {
        return new Retry(results(questions, carrier), state);
    }

    /** Sets the answers with which the handler is entered again. */
    void retryWith(Retry answers) {
        retry = answers;
    }

    @Override
    public Optional<Retry> retry() {
        return Optional.ofNullable(retry).or(scope::entry);
    }

    /**
     * Checks that a body which returned has left no question open.
     *
     * @throws JsonRpcException {@code -32603} if it has
     */
    void requireNoOpenQuestion() {
        if (isToStartAgain()) {
            throw endedBeforeAnswer();
        }
    }

    /** Returns the refusal of a result of a body that swallowed the exception of a question. */
    static JsonRpcException endedBeforeAnswer() {
        return new JsonRpcException(
                ErrorCode.INTERNAL_ERROR, "The handler ended before its question was answered");
    }

    // ---- data of the request

    @Override
    public Revision revision() {
        return scope.revision();
    }

    @Override
    public Caller caller() {
        return scope.caller();
    }

    @Override
    public Optional<Implementation> client() {
        return Optional.ofNullable(scope.client().client());
    }

    @Override
    public boolean wantsLog(LoggingLevel level) {
        return scope.client().wantsLog(level);
    }

    @Override
    public boolean startsAgain() {
        return scope.rounds() != null;
    }

    @Override
    public String method() {
        return scope.method();
    }

    @Override
    public Optional<ClientSession> clientSession() {
        return scope.session();
    }

    @Override
    public List<String> headers(String name) {
        return scope.headers(name);
    }

    @Override
    public JsonObject meta() {
        return scope.meta();
    }

    @Override
    public boolean wantsProgress() {
        return scope.wantsProgress();
    }

    @Override
    public Instant deadline() {
        return scope.deadline();
    }

    @Override
    public boolean isCancelled() {
        return scope.isCancelled();
    }

    @Override
    public Optional<String> cancellationReason() {
        return scope.cancellationReason();
    }

    // ---- messages to the client

    @Override
    public void progress(Progress progress) {
        if (wantsProgress()) {
            scope.send(notifier -> notifier.progress(progress));
        }
    }

    @Override
    public void log(LoggingLevel level, @Nullable String logger, JsonValue data) {
        scope.send(notifier -> notifier.log(level, logger, data));
    }

    @Override
    public void notify(String method, @Nullable JsonObject params) {
        ReservedNotifications.refuse(method);
        scope.sendToClient(
                new JsonRpcNotification(method, params == null ? null : RawJson.of(params)));
    }

    // ---- tasks

    @Override
    public Optional<TaskId> task() {
        return Optional.ofNullable(scope.task()).map(run -> run.task().id());
    }

    @Override
    public void status(String message) {
        Objects.requireNonNull(message, "message");
        if (scope.task() != null) { // a plain call has no status
            scope.task().status(message);
        }
    }

    @Override
    @SuppressWarnings("NullAway") // the result of a handler whose task is parked is ignored
    public <T extends @Nullable Object> T park(String job) {
        scope.park(Objects.requireNonNull(job, "job"));
        return null;
    }

    @Override
    public void startTask() {
        scope.startTask();
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> T uncancellable(Action<T, E> action)
            throws E, InterruptedException {
        return HandlerCall.<T, E>declared(() -> scope.uninterrupted(action::run));
    }

    @Override
    public boolean disconnect(Duration retryAfter) {
        return scope.disconnect(retryAfter);
    }

    /** Runs an action of users, which throws no exceptions but its declared ones. */
    @SuppressWarnings("unchecked")
    private static <T extends @Nullable Object, E extends Exception> T declared(Callable<T> action)
            throws E, InterruptedException {
        try {
            return action.call();
        } catch (RuntimeException | InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw (E) e;
        }
    }

    @Override
    public <T, E extends Exception> T once(String key, TypeRef<T> type, Action<T, E> action)
            throws E, InterruptedException {
        JsonCodec<T> codec = JsonCodec.of(type);
        return codec.read(
                this.<E>inside(
                        key,
                        () ->
                                codec.write(
                                        Objects.requireNonNull(
                                                action.run(),
                                                "the action returned null: return a value, or use"
                                                        + " once(key, effect)"))));
    }

    @Override
    public <E extends Exception> void once(String key, Effect<E> effect)
            throws E, InterruptedException {
        this.<E>inside(
                key,
                () -> {
                    effect.run();
                    return RawJson.EMPTY_OBJECT;
                });
    }

    private <E extends Exception> RawJson inside(String key, Callable<RawJson> compute)
            throws E, InterruptedException {
        Objects.requireNonNull(key, "key");
        return HandlerCall.<RawJson, E>declared(
                () -> scope.recorded(key, () -> ComputedValue.compute(this, key, compute)));
    }

    @Override
    public String idempotencyKey() {
        return scope.idempotencyKey(ComputedValue.key(this));
    }
}
