package dev.fairlead.server.call;

import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.RawJson;
import dev.fairlead.json.TypeRef;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.elicitation.ElicitRequest;
import dev.fairlead.protocol.elicitation.ElicitResult;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.mrtr.InputRequiredResult;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.server.handler.Action;
import dev.fairlead.server.handler.Answers;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.Effect;
import dev.fairlead.server.handler.InputRequiredException;
import dev.fairlead.server.handler.Question;
import dev.fairlead.server.handler.Retry;
import dev.fairlead.server.handler.SampledTools;
import dev.fairlead.server.handler.ServerRequests;
import dev.fairlead.server.requests.ClientRequest;
import dev.fairlead.server.requests.ClientRequestScope;
import dev.fairlead.server.requests.Questions;
import dev.fairlead.server.requests.Replay;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;

/** What the calls of handlers have in common, whether a request or a task is behind them. */
public abstract class HandlerCall implements Call, ClientRequestScope {
    private static final ThreadLocal<Inside> INSIDE = new ThreadLocal<>();

    private final RequestContext client;
    private @Nullable Replay replay; // confined to the thread of the call
    private int pages; // guarded by this
    private @Nullable Retry retry; // confined to the thread of the call
    private boolean refusedPage; // likewise
    private @Nullable ValueLocks values; // guarded by this; null: nothing was recorded yet

    /** The value that the current thread computes. */
    private record Inside(HandlerCall call, String key) {}

    protected HandlerCall(RequestContext client, boolean replaying) {
        this.client = client;
        this.replay = replaying ? new Replay() : null;
    }

    /** Sends questions together and waits for their results. */
    protected abstract List<RawJson> send(List<ClientRequest<?>> questions)
            throws InterruptedException;

    /**
     * Returns what the limits of callers count the call by: the issuer and subject of the caller,
     * or for an anonymous one where the call comes from; in a task, its owner.
     */
    public abstract Object callerKey();

    @Override
    public void startTask() {}

    /** Returns whether the body has ended because the call becomes a task. */
    public boolean startsTask() {
        return false;
    }

    @Override
    public Optional<TaskId> task() {
        return Optional.empty();
    }

    @Override
    public void status(String message) {
        Objects.requireNonNull(message, "message"); // a plain call has no status
    }

    @Override
    public <T extends @Nullable Object> T park(String job) {
        throw new IllegalStateException("only a task can be parked, and this call is none");
    }

    /** The same in every round and run that has the same base. */
    protected static String idempotencyKey(String base, String key) {
        return UUID.nameUUIDFromBytes((base + key).getBytes(StandardCharsets.UTF_8)).toString();
    }

    /** The handler is entered, perhaps once more: it repeats no log message and no progress. */
    protected void nextRun() {}

    /** Prepares the call for its body, which may run again if an interceptor calls it again. */
    void beforeBody() {}

    /**
     * Returns the answer in place of a result, if the body ended with this failure because the
     * client is to be asked first; null where it asks by other ways.
     *
     * @throws InterruptedException if an interceptor of a question was interrupted
     */
    public @Nullable InputRequiredResult inputRequired(Throwable failure)
            throws InterruptedException {
        return null;
    }

    /**
     * Checks that a body which returned has left no question open.
     *
     * @throws dev.fairlead.jsonrpc.JsonRpcException {@code -32603} if it has
     */
    public void requireNoOpenQuestion() {
        if (isToStartAgain()) {
            throw endedBeforeAnswer();
        }
    }

    /** Returns the refusal of a result of a body that swallowed what asking throws. */
    static JsonRpcException endedBeforeAnswer() {
        return new JsonRpcException(
                ErrorCode.INTERNAL_ERROR, "The handler ended before its question was answered");
    }

    /** Returns whether the test kit has the body start again, since its client has answered. */
    boolean isToStartAgain() {
        return replay != null && replay.isDue();
    }

    /** Has the body run only once, also where the test kit has others start again. */
    public void withoutReplay() {
        replay = null;
    }

    /**
     * Returns what asks the client before a body that ended so is entered again; null if it is not.
     * Pages to visit are an error of their own up to revision 2025-11-25, and questions since then;
     * once one was refused they are not asked again.
     */
    @Nullable Callable<Retry> reentry(Throwable failure) {
        if (failure instanceof UrlElicitationRequiredException pages
                && revision().era() == Era.PER_REQUEST
                && !refusedPage) {
            List<Question<?>> questions = new ArrayList<>();
            for (ElicitUrlRequest page : pages.elicitations()) {
                questions.add(Question.elicit(page).as("page_" + (questions.size() + 1)));
            }
            return () -> {
                Retry visited = answers(new InputRequiredException(questions, null));
                refusedPage =
                        visited.answers().values().stream()
                                .anyMatch(answer -> isRefusal(RawJson.of(answer)));
                return visited;
            };
        }
        return failure instanceof InputRequiredException needed ? () -> answers(needed) : null;
    }

    private Retry answers(InputRequiredException needed) throws InterruptedException {
        return new Retry(questions().results(needed.questions(), this::send), needed.state());
    }

    /** Returns whether an answer means that the person does not want to visit a page. */
    static boolean isRefusal(RawJson answer) {
        return answer.isObject()
                && answer.value() instanceof JsonObject object
                && object.get("action") instanceof JsonString action
                && !action.value().equals("accept");
    }

    /** Sets the answers with which the handler is entered again. */
    void retryWith(Retry answers) {
        retry = answers;
    }

    @Override
    public Optional<Retry> retry() {
        return Optional.ofNullable(retry);
    }

    /** The value under a key, computed unless there is one. */
    protected abstract RawJson recorded(String key, Callable<RawJson> compute) throws Exception;

    protected abstract String idempotencyKey(String key);

    /** Whether the handler has parked its task, so that what it gives does not count. */
    public boolean isParked() {
        return false;
    }

    /** The body starts again from its beginning. */
    public void restart() {
        if (replay != null) {
            replay.restart();
        }
        synchronized (this) {
            pages = 0;
        }
    }

    /** Runs an action of users, which throws nothing but what it declares. */
    @SuppressWarnings("unchecked")
    protected static <T extends @Nullable Object, E extends Exception> T declared(
            Callable<T> action) throws E, InterruptedException {
        try {
            return action.call();
        } catch (RuntimeException | InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw (E) e;
        }
    }

    // ---- what is known of the server

    public abstract ServerSettings settings();

    @Override
    public final List<Interceptor> interceptors() {
        return settings().interceptors;
    }

    @Override
    public final Questions.Limits limits() {
        return settings().questionLimits();
    }

    // ---- what is known of the client

    /** Returns what is known of the client. */
    public RequestContext clientContext() {
        return client;
    }

    @Override
    public final WireFace face() {
        return clientContext().face();
    }

    @Override
    public final Revision revision() {
        return face().revision();
    }

    @Override
    public final Caller caller() {
        return clientContext().caller();
    }

    @Override
    public final Optional<Implementation> client() {
        return Optional.ofNullable(clientContext().client());
    }

    @Override
    public final boolean wantsLog(LoggingLevel level) {
        return clientContext().wantsLog(level);
    }

    @Override
    public boolean startsAgain() {
        return false;
    }

    @Override
    public final ClientCapabilities capabilities() {
        return clientContext().capabilities();
    }

    // ---- what is recorded

    @Override
    public final <T, E extends Exception> T once(String key, Class<T> type, Action<T, E> action)
            throws E, InterruptedException {
        return once(key, TypeRef.of(type), action);
    }

    @Override
    public final <T, E extends Exception> T once(String key, TypeRef<T> type, Action<T, E> action)
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
    public final <E extends Exception> void once(String key, Effect<E> effect)
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
                () -> values().alone(key, () -> recorded(key, () -> compute(key, compute))));
    }

    private RawJson compute(String key, Callable<RawJson> compute) throws Exception {
        Inside around = INSIDE.get();
        INSIDE.set(new Inside(this, key));
        try {
            return compute.call();
        } finally {
            if (around == null) {
                INSIDE.remove();
            } else {
                INSIDE.set(around);
            }
        }
    }

    /** Has values computed again. */
    final synchronized void reopenValues() {
        values = null;
    }

    /** Returns what lets one thread at a time compute each value. */
    final synchronized ValueLocks values() {
        if (values == null) {
            values = new ValueLocks();
        }
        return values;
    }

    @Override
    public final String idempotencyKey() {
        Inside inside = INSIDE.get();
        if (inside == null || inside.call() != this) {
            throw new IllegalStateException(
                    "an idempotency key belongs to a once(…) that runs on this thread");
        }
        return idempotencyKey(inside.key());
    }

    /** The same in every run, since it is part of a question. */
    @Override
    public final String newElicitationId() {
        int page;
        synchronized (this) {
            page = ++pages;
        }
        return idempotencyKey("elicitation " + page);
    }

    // ---- what may be asked

    @Override
    public List<RawJson> ask(List<ClientRequest<?>> asked) throws InterruptedException {
        return replay == null ? send(asked) : replay.ask(asked, this::send);
    }

    @Override
    public final <T> T ask(Question<T> question) throws InterruptedException {
        return questions().ask(question);
    }

    @Override
    public final Answers ask(Question<?> first, Question<?> second, Question<?>... more)
            throws InterruptedException {
        return questions().ask(first, second, more);
    }

    private Questions questions() {
        return Questions.of(this);
    }

    // Not by the short forms of Questions: each frame of what waits for an answer is kept in
    // memory.

    @Override
    public final <T> Answer<T> elicit(String message, Class<T> form) throws InterruptedException {
        return questions().ask(Question.elicit(message, form));
    }

    @Override
    public final <T> Answer<T> elicit(String message, TypeRef<T> form) throws InterruptedException {
        return questions().ask(Question.elicit(message, form));
    }

    @Override
    public final ElicitResult elicit(ElicitRequest question) throws InterruptedException {
        return questions().ask(Question.elicit(question));
    }

    @Override
    public final <T extends @Nullable Object, E extends Exception> Answer<T> elicitUrl(
            String message, URI url, Action<T, E> action) throws E, InterruptedException {
        return questions().elicitUrl(message, url, action);
    }

    @Override
    public final CreateMessageResult sample(String text, long maxTokens)
            throws InterruptedException {
        return questions().sample(text, maxTokens);
    }

    @Override
    public final CreateMessageResult sample(CreateMessageRequest question)
            throws InterruptedException {
        return questions().sample(question);
    }

    @Override
    public final <E extends Exception> CreateMessageResult sample(
            CreateMessageRequest question, int rounds, SampledTools<E> tools)
            throws E, InterruptedException {
        return questions().sample(question, rounds, tools);
    }

    @Override
    public final List<Root> roots() throws InterruptedException {
        return questions().roots();
    }

    @Override
    public final ServerRequests withTimeout(Duration timeout, Duration maximum) {
        return questions().withTimeout(timeout, maximum);
    }

    @Override
    public final ServerRequests withProgress(ProgressListener listener) {
        return questions().withProgress(listener);
    }

    @Override
    public final ServerRequests withTask(Duration ttl) {
        return questions().withTask(ttl);
    }
}
