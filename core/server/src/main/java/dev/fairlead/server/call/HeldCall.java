package dev.fairlead.server.call;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.peer.AttachedMeta;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.engine.Cancellation;
import dev.fairlead.protocol.engine.IncomingRequest;
import dev.fairlead.protocol.engine.ShieldedThread;
import dev.fairlead.protocol.relay.HandlerThread;
import dev.fairlead.protocol.time.Durations;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.server.notifications.HandlerNotifier;
import dev.fairlead.server.requests.ClientRequest;
import dev.fairlead.server.requests.HeldQuestions;
import dev.fairlead.server.requests.QuestionCarrier;
import dev.fairlead.server.requests.Rounds;
import dev.fairlead.server.requeststate.StateContent;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A call whose body runs once, on a thread of its own, over all rounds of its request. The thread
 * of each request waits until the body has asked or ended. Notifications go out with the request of
 * the round; between rounds they are dropped.
 *
 * <p>One {@link Round} is current. It begins when the client is asked, a retry takes it, and it
 * ends when the body asks again or ends. The monitor of the call guards which round is current, who
 * takes it, and why no request continues the call; it is never held while anything else runs.
 * Thread-safe.
 */
final class HeldCall implements CallScope, QuestionCarrier {
    private static final String ENDED = "the call has ended";

    private final HeldCalls calls;
    private final String id;
    private final Object key;
    private final HeldPlaces.Place place;
    private final String method;
    private final ShieldedThread thread = new ShieldedThread();
    private volatile RequestContext client; // of the current round
    private volatile Round round; // changed under the monitor
    private volatile @Nullable String gone; // why no request continues the call; set likewise
    private final ReentrantLock turn = new ReentrantLock(true); // held by the thread that asks
    private @Nullable CallRecord record; // guarded by this
    private RunningHandlers.@Nullable Entry running; // confined to the thread of the body

    /** The questions of the client, and the request that brings their answers. */
    private static final class Round {
        final int number; // of the rounds before the request
        final @Nullable Waiter waiter; // null in the first
        final HeldQuestions questions;
        final Instant until;

        /** Completed with the maker of the request's answer, which runs on its own thread. */
        final CompletableFuture<Callable<Outcome<?>>> reply = new CompletableFuture<>();

        volatile @Nullable ServerCall call; // the request; null while the client is asked
        volatile Timers.@Nullable Timer timer;

        Round(int number, @Nullable Waiter waiter, HeldQuestions questions, Instant until) {
            this.number = number;
            this.waiter = waiter;
            this.questions = questions;
            this.until = until;
        }
    }

    /** A thread of the handler that waits for answers; made by that thread. */
    private static final class Waiter {
        final Thread asker = Thread.currentThread();
        @Nullable List<RawJson> answers; // set before over; null: none will come
        volatile boolean over;

        void end(@Nullable List<RawJson> given) {
            answers = given;
            over = true;
            LockSupport.unpark(asker);
        }
    }

    HeldCall(HeldCalls calls, String id, HeldPlaces.Place place, ServerCall call) {
        this.calls = calls;
        this.id = id;
        this.key = call.callerKey();
        this.place = place;
        this.method = call.method();
        this.client = call.client();
        this.round = new Round(0, null, HeldQuestions.NONE, Instant.MAX);
        this.round.call = call;
    }

    String id() {
        return id;
    }

    @Override
    public Object callerKey() {
        return key;
    }

    HeldPlaces.Place place() {
        return place;
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
        Round first = round;
        ServerCall call = Objects.requireNonNull(first.call);
        Runnable run = new BodyRun(body);
        String name = ("mcp-held-" + method).intern(); // one for all threads that wait
        if (blocking) {
            HandlerThread.unstarted(Thread.ofPlatform().daemon().name(name), run).start();
        } else {
            HandlerThread.start(name, run);
        }
        return () -> await(first, call);
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
            Callable<Outcome<?>> ended;
            try {
                running = calls.server().begin(() -> method + ", held");
                Outcome<?> outcome =
                        Outcome.complete(body.run(new HandlerCall(HeldCall.this, HeldCall.this)));
                ended = () -> outcome;
            } catch (Exception e) {
                ended =
                        () -> {
                            throw e;
                        };
            } catch (Error e) {
                ended =
                        () -> {
                            throw e;
                        };
            }
            pause();
            thread.end();
            end(ended);
        }
    }

    /** Counts the body no longer as running, since it waits for its client or has ended. */
    private void pause() {
        if (running != null) {
            calls.server().end(running);
            running = null;
        }
    }

    /**
     * Ends the call. If another thread of the body is asking, the retry gets the outcome, until the
     * time for its round is over.
     */
    private void end(Callable<Outcome<?>> outcome) {
        Round last;
        boolean isAsked;
        synchronized (this) {
            last = round;
            isAsked = isAsked(last);
            if (isAsked) {
                last.reply.complete(outcome);
            } else if (gone == null) {
                gone = ENDED;
            }
        }
        if (isAsked) {
            Objects.requireNonNull(last.waiter).end(null);
        } else {
            calls.ended(this); // first: the client may call again once it has the result
            last.reply.complete(outcome);
        }
    }

    // ---- the threads of the requests

    private Outcome<?> await(Round answered, ServerCall call) throws Exception {
        Callable<Outcome<?>> reply = null;
        while (reply == null) {
            try {
                reply = answered.reply.get();
            } catch (InterruptedException e) { // the request was cancelled
                if (round == answered) {
                    thread.interrupt();
                }
            }
        }
        Outcome<?> outcome = reply.call();
        if (outcome instanceof Outcome.InputRequired<?>) {
            call.afterAnswer(() -> endUnlessAnswered(call.request()));
        }
        return outcome;
    }

    /** The questions did not reach the client if its request was cancelled at the same time. */
    private void endUnlessAnswered(IncomingRequest request) {
        boolean isAnswered =
                !request.isAnsweredEarly()
                        && request.cancellation()
                                .filter(why -> why.cause() != Cancellation.Cause.DEADLINE)
                                .isEmpty();
        if (!isAnswered) {
            stop(round, "the request was cancelled");
        }
    }

    /**
     * Hands the answers of a retry to the body, and waits as {@link #start} does. If some are
     * missing, the client is asked for them, and the body waits on.
     *
     * @param number of the round whose questions the retry answers
     * @throws dev.fairlead.jsonrpc.JsonRpcException {@code -32602} if the call does not wait for
     *     this retry, or a response is malformed; {@code -32603} after too many rounds, which ends
     *     the call, or if there is no room for answers that wait for others
     */
    Outcome<?> resume(ServerCall retry, int number) throws Exception {
        while (true) {
            Round asked = round;
            if (asked.number != number || !isAsked(asked)) {
                throw HeldCalls.gone();
            }
            HeldQuestions questions = retry.requireRounds().answer(asked.questions);
            if (questions.isAnswered() || asked.reply.isDone()) {
                take(asked, retry, questions);
                return await(asked, retry);
            }
            Outcome<?> again = askAgain(retry, asked, questions);
            if (again != null) {
                return again;
            }
        }
    }

    private void take(Round asked, ServerCall retry, HeldQuestions answered) {
        boolean hasEnded;
        synchronized (this) {
            if (!isAsked(asked)) {
                throw HeldCalls.gone(); // another retry came first
            }
            hasEnded = asked.reply.isDone();
            asked.call = retry;
            gone = hasEnded ? ENDED : null;
        }
        over(asked);
        client = retry.client();
        if (hasEnded) {
            calls.ended(this);
        } else {
            Objects.requireNonNull(asked.waiter).end(answered.answers());
        }
    }

    /** Asks for the rest; null if the body has ended meanwhile, or another retry came first. */
    private @Nullable Outcome<?> askAgain(ServerCall retry, Round asked, HeldQuestions questions) {
        questions.requireDeclared(retry.capabilities());
        if (asked.number == Rounds.MAX) {
            stop(asked, "the client was asked in too many rounds");
        }
        Rounds.requireNotMore(asked.number + 1);
        HeldQuestions kept = questions.detached();
        Round again = round(asked.number + 1, Objects.requireNonNull(asked.waiter), kept);
        Outcome<?> outcome = asked(retry, again);
        place.take(kept.size());
        if (!replace(asked, again, null)) {
            place.release(kept.size());
            return null;
        }
        over(asked);
        watch(again);
        retry.afterAnswer(() -> endUnlessAnswered(retry.request()));
        return outcome;
    }

    private Round round(int number, Waiter waiter, HeldQuestions questions) {
        Instant now = calls.server().timers().clock().instant();
        return new Round(number, waiter, questions, Timers.later(now, calls.limit()));
    }

    private Outcome<?> asked(ServerCall call, Round asked) {
        return new Outcome.InputRequired<>(
                call.requireRounds()
                        .result(new Rounds.HeldRound(id, asked.number), asked.questions));
    }

    // ---- the rounds

    /** Returns whether a round is current and waits for a retry. */
    private synchronized boolean isAsked(Round asked) {
        return round == asked && asked.call == null && gone == null;
    }

    /**
     * Makes another round the current one.
     *
     * @param by the request of the round before; null while its client is asked
     * @return false if that has changed meanwhile
     */
    private synchronized boolean replace(Round before, Round next, @Nullable ServerCall by) {
        boolean may =
                round == before && before.call == by && gone == null && !before.reply.isDone();
        round = may ? next : round;
        return may;
    }

    private void watch(Round asked) {
        Duration limit = calls.limit();
        asked.timer =
                calls.server()
                        .timers()
                        .schedule(
                                limit,
                                () ->
                                        stop(
                                                asked,
                                                "the client did not answer within "
                                                        + Durations.text(limit)));
        if (!isAsked(asked)) { // it ended meanwhile, when there was no timer yet
            asked.timer.cancel();
        }
    }

    /** Ends the time in which the client is asked. */
    private void over(Round asked) {
        Timers.Timer set = asked.timer;
        if (set != null) {
            set.cancel();
        }
        place.release(asked.questions.size());
    }

    /** Ends the call if it still waits for the answers of a round. Returns at once. */
    private void stop(Round asked, String reason) {
        synchronized (this) {
            if (!isAsked(asked)) {
                return;
            }
            gone = reason;
        }
        over(asked);
        Waiter waiter = Objects.requireNonNull(asked.waiter);
        waiter.end(null);
        if (asked.reply.isDone()) { // the body has ended, and its outcome is dropped
            calls.ended(this);
        } else if (!thread.is(waiter.asker)) {
            thread.interrupt();
        }
    }

    /** Interrupts the body, unless that was done: the server closes. */
    void interrupt() {
        stop(round, "the server is closing");
        if (gone == null) {
            thread.interrupt();
        }
    }

    // ---- its questions

    @Override
    public List<RawJson> ask(List<ClientRequest<?>> questions) throws InterruptedException {
        turn.lockInterruptibly();
        try {
            Waiter waiter = new Waiter();
            Round asked = ask(HeldQuestions.of(questions), waiter);
            while (!waiter.over) {
                LockSupport.park();
                if (!waiter.over && Thread.interrupted()) { // by code of the handler
                    if (thread.isCurrent()) {
                        stop(asked, "the thread that asked was interrupted");
                    } // else the body continues, and the retry gets its outcome
                    throw new InterruptedException("The question was interrupted");
                }
            }
            if (thread.isCurrent()) {
                running = calls.server().begin(() -> method + ", held");
            }
            if (waiter.answers == null) {
                throw stopped();
            }
            return waiter.answers;
        } finally {
            turn.unlock();
        }
    }

    /** Answers the request of the round with questions. */
    private Round ask(HeldQuestions questions, Waiter waiter) throws InterruptedException {
        Round answered = round;
        ServerCall call = answered.call;
        if (call == null || call.isCancelled()) {
            throw stopped();
        }
        calls.requireOpen();
        Rounds.requireNotMore(answered.number + 1);
        Round next = round(answered.number + 1, waiter, questions);
        if (!replace(answered, next, call)) {
            throw stopped();
        }
        watch(next);
        if (thread.isCurrent()) {
            pause();
        }
        answered.reply.complete(() -> answer(call, next));
        return next;
    }

    /** Not on the thread of the body, in which the platform's ciphers leave something behind. */
    private Outcome<?> answer(ServerCall call, Round asked) {
        try {
            return asked(call, asked);
        } catch (RuntimeException | Error e) { // the client cannot be asked
            stop(asked, "the questions could not be sent");
            throw e;
        }
    }

    private InterruptedException stopped() {
        return new InterruptedException(
                "The call is stopped: " + cancellationReason().orElse("it has ended"));
    }

    // ---- the scope

    @Override
    public RequestContext client() {
        return client;
    }

    @Override
    public ServerSettings settings() {
        return calls.server().settings();
    }

    @Override
    public boolean isHeld() {
        return true;
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public List<String> headers(String name) {
        ServerCall call = round.call;
        return call == null ? List.of() : call.headers(name);
    }

    @Override
    public JsonObject meta() {
        AttachedMeta attached = client.attached();
        return attached == null ? JsonObject.EMPTY : attached.rest();
    }

    @Override
    public boolean wantsProgress() {
        ServerCall call = round.call;
        return call != null && call.wantsProgress();
    }

    /** Returns the deadline of the round, or until when the call waits for the next one. */
    @Override
    public Instant deadline() {
        Round current = round;
        ServerCall call = current.call;
        return call == null ? current.until : call.deadline();
    }

    /** Returns why the call has ended; empty where it has not. */
    private Optional<String> end() {
        Round current = round;
        boolean hasEnded = current.call == null && current.reply.isDone();
        return Optional.ofNullable(gone).or(() -> hasEnded ? Optional.of(ENDED) : Optional.empty());
    }

    @Override
    public boolean isCancelled() {
        ServerCall call = round.call;
        return end().isPresent() || (call != null && call.isCancelled());
    }

    @Override
    public Optional<String> cancellationReason() {
        return end().or(
                        () ->
                                Optional.ofNullable(round.call)
                                        .flatMap(ServerCall::cancellationReason));
    }

    /** Sends with the request of the round; nothing between rounds. */
    @Override
    public void send(Consumer<HandlerNotifier> action) {
        ServerCall call = round.call;
        if (call != null) {
            thread.shielded(
                    () -> {
                        call.send(action);
                        return null;
                    });
        }
    }

    @Override
    public <T extends @Nullable Object> T uninterrupted(Callable<T> action) throws Exception {
        return thread.uninterrupted(action);
    }

    @Override
    public boolean disconnect(Duration retryAfter) {
        ServerCall call = round.call;
        return call != null && call.disconnect(retryAfter);
    }

    private synchronized CallRecord record() {
        if (record == null) {
            record =
                    new CallRecord(
                            StateContent.NONE, IllegalStateException::new); // which is never closed
        }
        return record;
    }

    @Override
    public RawJson recorded(String name, Callable<RawJson> compute) throws Exception {
        return record().once(name, compute);
    }

    @Override
    public String idempotencyKey(String name) {
        return ComputedValue.idempotencyKey(record().base(), name);
    }
}
