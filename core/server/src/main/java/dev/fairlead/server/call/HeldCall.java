package dev.fairlead.server.call;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.peer.AttachedMeta;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.engine.Cancellation;
import dev.fairlead.protocol.engine.IncomingRequest;
import dev.fairlead.protocol.engine.ShieldedThread;
import dev.fairlead.protocol.mrtr.InputRequiredResult;
import dev.fairlead.protocol.relay.HandlerThread;
import dev.fairlead.protocol.time.Durations;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.server.notifications.HandlerNotifier;
import dev.fairlead.server.requests.ClientRequest;
import dev.fairlead.server.requests.HeldQuestions;
import dev.fairlead.server.requests.QuestionCarrier;
import dev.fairlead.server.requests.Rounds;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A call whose body runs once, on a thread of its own, over all rounds of its request. The thread
 * of each round waits until the body has asked or ended. What the handler sends goes out with the
 * request of the round; between rounds it is dropped.
 *
 * <p>One of four phases is in force: a request is {@link Running}, the client is {@link Asking its
 * user}, the body has {@link Ended} meanwhile, or the call is {@link Gone}. Each change is one
 * compare-and-set, and the thread that makes it completes what waits for the phase that ended.
 * Thread-safe.
 */
final class HeldCall implements CallScope, QuestionCarrier {
    private static final String ENDED = "the call has ended";

    private final HeldCalls calls;
    private final String id;
    private final Object key;
    private final int bytes;
    private final String method;
    private final ShieldedThread thread = new ShieldedThread();
    private final AtomicReference<Phase> phase;
    private volatile RequestContext client; // of the current round, or the last one
    private volatile Timers.@Nullable Timer ending; // of the time for which an outcome is kept
    private @Nullable ReentrantLock turn; // guarded by this; held by the thread that asks
    private @Nullable CallRecord record; // guarded by this
    private RunningHandlers.@Nullable Entry running; // confined to the thread of the body

    /** Where the call is. */
    private sealed interface Phase {}

    /**
     * The request of a round runs.
     *
     * @param rounds how many rounds ended before
     * @param reply completed with what makes the answer of the request, on its own thread
     */
    private record Running(
            ServerCall call, int rounds, CompletableFuture<Callable<Outcome<?>>> reply)
            implements Phase {
        Running(ServerCall call, int rounds) {
            this(call, rounds, new CompletableFuture<>());
        }
    }

    /** A thread of the handler that waits for answers; made by that thread. */
    private static final class Waiter {
        private final Thread asker = Thread.currentThread();
        private @Nullable List<RawJson> answers; // set before over; null: none will come
        private volatile boolean over;

        void end(@Nullable List<RawJson> given) {
            answers = given;
            over = true;
            LockSupport.unpark(asker);
        }

        boolean isOver() {
            return over;
        }
    }

    /** The client has questions, and no request runs. */
    private static final class Asking implements Phase {
        private final int round;
        private final HeldQuestions questions;
        private final Waiter waiter;
        private final Instant until;
        private volatile Timers.@Nullable Timer timer;

        Asking(int round, HeldQuestions questions, Waiter waiter, Instant until) {
            this.round = round;
            this.questions = questions;
            this.waiter = waiter;
            this.until = until;
        }

        void cancelTimer() {
            Timers.Timer set = timer;
            if (set != null) {
                set.cancel();
            }
        }
    }

    /** A phase in which the client had questions is over, by the current thread. */
    private void over(Asking asking) {
        asking.cancelTimer();
        calls.releaseAnswers(this, asking.questions.size());
    }

    /**
     * The body ended while another of its threads asked: the retry gets what it came to.
     *
     * @param round whose questions the client is asked
     * @param reply complete
     */
    private record Ended(int round, CompletableFuture<Callable<Outcome<?>>> reply)
            implements Phase {}

    /**
     * No request continues the call.
     *
     * @param reason for people
     */
    private record Gone(String reason) implements Phase {}

    /**
     * @param bytes of the parameters
     */
    HeldCall(HeldCalls calls, String id, int bytes, ServerCall call) {
        this.calls = calls;
        this.id = id;
        this.key = call.callerKey();
        this.bytes = bytes;
        this.method = call.method();
        this.client = call.client();
        this.phase = new AtomicReference<>(new Running(call, 0));
    }

    String id() {
        return id;
    }

    @Override
    public Object callerKey() {
        return key;
    }

    int bytes() {
        return bytes;
    }

    // ---- the thread of the body

    /**
     * Starts the body.
     *
     * @param blocking whether it gets a platform thread
     * @return waits until the body has asked or ended; an interrupt is passed on to the body
     * @throws OutOfMemoryError if there is no thread
     */
    Callable<Outcome<?>> start(boolean blocking, AskingBody.Body<?> body) {
        Running first = (Running) phase.get();
        Runnable task = new BodyRun(body);
        String name = ("mcp-held-" + method).intern(); // one for all threads that wait
        if (blocking) {
            HandlerThread.unstarted(Thread.ofPlatform().daemon().name(name), task).start();
        } else {
            HandlerThread.start(name, task);
        }
        return () -> await(first);
    }

    /** A class and not a lambda: its frame is kept for as long as the body waits. */
    private final class BodyRun implements Runnable {
        private final AskingBody.Body<?> body;

        BodyRun(AskingBody.Body<?> body) {
            this.body = body;
        }

        @Override
        public void run() {
            thread.begin();
            Outcome<?> outcome = null;
            Throwable failure = null;
            try {
                running = calls.server().begin(() -> method + ", held");
                outcome = Outcome.complete(body.run(new HandlerCall(HeldCall.this, HeldCall.this)));
            } catch (Throwable e) {
                failure = e;
            } finally {
                pause();
                thread.end();
                end(outcome, failure);
            }
        }
    }

    /** The body waits for its client, or has ended. */
    private void pause() {
        if (running != null) {
            calls.server().end(running);
            running = null;
        }
    }

    private void end(@Nullable Outcome<?> outcome, @Nullable Throwable failure) {
        CompletableFuture<Callable<Outcome<?>>> reply = new CompletableFuture<>();
        complete(reply, outcome, failure);
        Phase last = endPhase(reply);
        if (last instanceof Asking asking) {
            over(asking);
            asking.waiter.end(null);
            ending = calls.server().timers().schedule(calls.limit(), this::dropEnded);
            if (!(phase.get() instanceof Ended)) { // it was taken before there was a timer
                ending.cancel();
            }
            return;
        }
        calls.ended(this); // first: the client may call again once it has the result
        if (last instanceof Running round) {
            complete(round.reply(), outcome, failure);
        }
    }

    /** Returns the phase that the end of the body has ended; other threads may ask meanwhile. */
    private Phase endPhase(CompletableFuture<Callable<Outcome<?>>> reply) {
        while (true) {
            Phase last = phase.get();
            Phase next =
                    last instanceof Asking asking
                            ? new Ended(asking.round, reply)
                            : new Gone(ENDED);
            if (phase.compareAndSet(last, next)) {
                return last;
            }
        }
    }

    private static void complete(
            CompletableFuture<Callable<Outcome<?>>> reply,
            @Nullable Outcome<?> outcome,
            @Nullable Throwable failure) {
        if (outcome != null) {
            reply.complete(() -> outcome);
        } else {
            reply.completeExceptionally(Objects.requireNonNull(failure));
        }
    }

    /** Keeps the outcome no longer for a retry. */
    private void dropEnded() {
        if (phase.get() instanceof Ended ended) {
            take(ended);
        }
    }

    private boolean take(Ended ended) {
        boolean taken = phase.compareAndSet(ended, new Gone(ENDED));
        if (taken) {
            Timers.Timer timer = ending;
            if (timer != null) {
                timer.cancel();
            }
            calls.ended(this);
        }
        return taken;
    }

    // ---- the threads of the requests

    private Outcome<?> await(Running round) throws Exception {
        while (true) {
            try {
                Outcome<?> outcome = round.reply().get().call();
                if (outcome instanceof Outcome.InputRequired<?>) {
                    round.call().afterAnswer(() -> endUnlessAnswered(round.call().request()));
                }
                return outcome;
            } catch (InterruptedException e) { // the request was cancelled
                if (phase.get() == round) {
                    thread.interrupt();
                }
            } catch (ExecutionException e) {
                throw failure(e);
            }
        }
    }

    private static Exception failure(ExecutionException e) {
        return switch (e.getCause()) {
            case Exception failure -> failure;
            case Error failure -> throw failure;
            case null, default -> e;
        };
    }

    /** The questions did not reach the client if its request was cancelled at the same time. */
    private void endUnlessAnswered(IncomingRequest request) {
        boolean isAnswered =
                !request.isAnsweredEarly()
                        && request.cancellation()
                                .filter(why -> why.cause() != Cancellation.Cause.DEADLINE)
                                .isEmpty();
        if (!isAnswered) {
            interruptWaiting("the request was cancelled");
        }
    }

    /**
     * Hands the answers of a retry to the body, and waits as {@link #start} does. If some are
     * missing, the client is asked for them, and the body waits on.
     *
     * @param round whose questions the retry answers
     * @throws JsonRpcException {@code -32602} if the call does not wait for this retry, or a
     *     response is malformed; {@code -32603} after too many rounds, which ends the call, or if
     *     there is no room for answers that wait for others
     */
    Outcome<?> resume(ServerCall retry, int round) throws Exception {
        while (true) {
            Phase now = phase.get();
            if (now instanceof Ended ended && ended.round() == round && take(ended)) {
                try {
                    return ended.reply().get().call();
                } catch (ExecutionException e) {
                    throw failure(e);
                }
            }
            if (!(now instanceof Asking asking) || asking.round != round) {
                throw HeldCalls.gone();
            }
            HeldQuestions questions = retry.requireRounds().answer(asking.questions);
            if (!questions.isAnswered()) {
                Outcome<?> again = askAgain(retry, asking, questions);
                if (again != null) {
                    return again;
                }
                continue; // the body has ended meanwhile, or another retry came first
            }
            Running next = new Running(retry, round);
            if (phase.compareAndSet(asking, next)) {
                over(asking);
                client = retry.client();
                asking.waiter.end(questions.answers());
                return await(next);
            }
        }
    }

    /** Asks for the rest; null if the call no longer waits for these answers. */
    private @Nullable Outcome<?> askAgain(
            ServerCall retry, Asking asking, HeldQuestions questions) {
        questions.requireDeclared(retry.capabilities());
        if (asking.round == Rounds.MAX) {
            interrupt(asking, "the client was asked in too many rounds");
            Rounds.requireNotMore(asking.round + 1);
        }
        HeldQuestions kept = questions.detached();
        Asking again = asking(asking.round + 1, kept, asking.waiter);
        Outcome<?> outcome = new Outcome.InputRequired<>(result(retry, again));
        calls.takeAnswers(this, kept.size());
        if (!phase.compareAndSet(asking, again)) {
            calls.releaseAnswers(this, kept.size());
            return null;
        }
        over(asking);
        watch(again);
        retry.afterAnswer(() -> endUnlessAnswered(retry.request()));
        return outcome;
    }

    private Asking asking(int round, HeldQuestions questions, Waiter waiter) {
        Instant now = calls.server().timers().clock().instant();
        return new Asking(round, questions, waiter, Timers.later(now, calls.limit()));
    }

    private InputRequiredResult result(ServerCall call, Asking asking) {
        return call.requireRounds()
                .result(new Rounds.HeldRound(id, asking.round), asking.questions);
    }

    // ---- what ends the call

    private void watch(Asking asking) {
        Duration limit = calls.limit();
        asking.timer =
                calls.server()
                        .timers()
                        .schedule(
                                limit,
                                () ->
                                        interrupt(
                                                asking,
                                                "the client did not answer within "
                                                        + Durations.text(limit)));
        if (phase.get() != asking) { // it ended meanwhile, when there was no timer yet
            asking.cancelTimer();
        }
    }

    /** Ends the call if it waits for its client. */
    private void interruptWaiting(String reason) {
        if (phase.get() instanceof Asking asking) {
            interrupt(asking, reason);
        }
        dropEnded();
    }

    /** Ends the call if it still waits for these answers. Returns at once. */
    private void interrupt(Asking asking, String reason) {
        if (phase.compareAndSet(asking, new Gone(reason))) {
            over(asking);
            asking.waiter.end(null);
            if (!thread.is(asking.waiter.asker)) {
                thread.interrupt();
            }
        }
    }

    /** The server closes: no retry can come. */
    void interruptWaiting() {
        interruptWaiting("the server is closing");
    }

    /** The server closes: interrupts the body, unless that was done. */
    void interrupt() {
        interruptWaiting();
        if (phase.get() instanceof Running) {
            thread.interrupt();
        }
    }

    // ---- what may be asked

    @Override
    public List<RawJson> ask(List<ClientRequest<?>> asked) throws InterruptedException {
        ReentrantLock mine = turn();
        mine.lockInterruptibly();
        try {
            Waiter waiter = new Waiter();
            Asking asking = ask(HeldQuestions.of(asked), waiter);
            while (!waiter.isOver()) {
                LockSupport.park();
                if (!waiter.isOver() && Thread.interrupted()) { // by code of the handler
                    if (thread.isCurrent()) {
                        interrupt(asking, "the thread that asked was interrupted");
                    } // else the body continues, and the retry gets its outcome
                    throw new InterruptedException("The question was interrupted");
                }
            }
            return given(waiter);
        } finally {
            mine.unlock();
        }
    }

    private synchronized ReentrantLock turn() {
        if (turn == null) {
            turn = new ReentrantLock(true);
        }
        return turn;
    }

    private List<RawJson> given(Waiter waiter) throws InterruptedException {
        if (thread.isCurrent()) {
            running = calls.server().begin(() -> method + ", held");
        }
        List<RawJson> given = waiter.answers;
        if (given == null) {
            throw gone();
        }
        return given;
    }

    /** Answers the request of the round with questions. */
    private Asking ask(HeldQuestions questions, Waiter waiter) throws InterruptedException {
        if (!(phase.get() instanceof Running round) || round.call().isCancelled()) {
            throw gone();
        }
        calls.requireOpen();
        Rounds.requireNotMore(round.rounds() + 1);
        Asking asking = asking(round.rounds() + 1, questions, waiter);
        if (!phase.compareAndSet(round, asking)) {
            throw gone();
        }
        watch(asking);
        if (thread.isCurrent()) {
            pause();
        }
        round.reply().complete(() -> asked(round.call(), asking));
        return asking;
    }

    /** Not on the thread of the body, in which the platform's ciphers leave something behind. */
    private Outcome<?> asked(ServerCall call, Asking asking) {
        try {
            return new Outcome.InputRequired<>(result(call, asking));
        } catch (RuntimeException | Error e) { // the client cannot be asked
            interrupt(asking, "the questions could not be sent");
            throw e;
        }
    }

    private InterruptedException gone() {
        return new InterruptedException(
                "The call is stopped: " + cancellationReason().orElse("it has ended"));
    }

    // ---- what is known

    /** Returns the call of the round; null between rounds and after the end. */
    private @Nullable ServerCall round() {
        return phase.get() instanceof Running running ? running.call() : null;
    }

    @Override
    public RequestContext client() {
        return client;
    }

    @Override
    public ServerSettings settings() {
        return calls.server().settings();
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public List<String> headers(String name) {
        ServerCall round = round();
        return round == null ? List.of() : round.headers(name);
    }

    @Override
    public JsonObject meta() {
        AttachedMeta attached = client.attached();
        return attached == null ? JsonObject.EMPTY : attached.rest();
    }

    @Override
    public boolean wantsProgress() {
        ServerCall round = round();
        return round != null && round.wantsProgress();
    }

    /** That of the round, or until when the call waits for the next one. */
    @Override
    public Instant deadline() {
        return switch (phase.get()) {
            case Running round -> round.call().deadline();
            case Asking asking -> asking.until;
            case Ended ended -> calls.server().timers().clock().instant();
            case Gone gone -> calls.server().timers().clock().instant();
        };
    }

    @Override
    public boolean isCancelled() {
        return switch (phase.get()) {
            case Running round -> round.call().isCancelled();
            case Asking asking -> false;
            case Ended ended -> true;
            case Gone gone -> true;
        };
    }

    @Override
    public Optional<String> cancellationReason() {
        return switch (phase.get()) {
            case Running round -> round.call().cancellationReason();
            case Asking asking -> Optional.empty();
            case Ended ended -> Optional.of(ENDED);
            case Gone gone -> Optional.of(gone.reason());
        };
    }

    // ---- what may be sent

    /** Sends with the request of the round; nothing between rounds. */
    @Override
    public void send(Consumer<HandlerNotifier> action) {
        ServerCall round = round();
        if (round != null) {
            thread.shielded(
                    () -> {
                        round.send(action);
                        return null;
                    });
        }
    }

    // ---- what may be done

    @Override
    public <T extends @Nullable Object> T uninterrupted(Callable<T> action) throws Exception {
        return thread.uninterrupted(action);
    }

    @Override
    public boolean isHeld() {
        return true;
    }

    @Override
    public boolean disconnect(Duration retryAfter) {
        ServerCall round = round();
        return round != null && round.disconnect(retryAfter);
    }

    private synchronized CallRecord record() {
        if (record == null) {
            record = new CallRecord(null, IllegalStateException::new); // which is never closed
        }
        return record;
    }

    @Override
    public RawJson recorded(String name, Callable<RawJson> compute) throws Exception {
        return record().once(name, compute);
    }

    @Override
    public String idempotencyKey(String name) {
        return HandlerCall.idempotencyKey(record().base(), name);
    }
}
