package dev.fairlead.server.call;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.RequestRefusedException;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.limits.HeapPlan;
import dev.fairlead.server.requests.Rounds;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The calls of a server whose bodies wait for the answers of their clients instead of starting
 * again. Each has a place from before its body begins until the body has ended. Thread-safe.
 */
public final class HeldCalls {
    private final ServerContext server;
    private final HeldPlaces places;
    private final Duration limit;
    private final Map<String, HeldCall> calls = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition noneLeft = lock.newCondition();
    private volatile boolean refusing;
    private volatile boolean closed;

    public HeldCalls(ServerContext server) {
        ServerSettings settings = server.settings();
        this.server = server;
        this.places =
                new HeldPlaces(
                        settings.maxHeldCalls,
                        settings.maxHeldCallsPerCaller,
                        HeapPlan.HELD_CALLS.bytes());
        Duration question = settings.questionTimeout;
        Duration state = settings.requestState.ttl(); // after it no retry can come
        this.limit = question.compareTo(state) < 0 ? question : state;
    }

    ServerContext server() {
        return server;
    }

    /** How long a call waits for a retry. */
    Duration limit() {
        return limit;
    }

    /** Returns whether a request is the retry of a held call, which may be gone. */
    public static boolean isRetry(ServerCall call) {
        Rounds rounds = call.rounds();
        return rounds != null && rounds.held().isPresent();
    }

    /**
     * Refuses the retry of a held call where no such call can be.
     *
     * @throws JsonRpcException {@code -32602} with the reason {@code call_gone}
     */
    public static void requireNoRetry(ServerCall call) {
        if (isRetry(call)) {
            throw gone();
        }
    }

    /** Returns whether the bodies of held calls wait between the rounds of this request. */
    public static boolean canHold(ServerCall call) {
        return call.rounds() != null;
    }

    /**
     * Runs a body until it ends or asks; or hands the answers of a retry to the body that waits for
     * them, and waits as before.
     *
     * @param blocking whether the body gets a platform thread
     * @param body makes a body for a call that begins, which is kept for as long as it runs
     * @throws RequestRefusedException if there are too many held calls, so that the body has not
     *     begun, or the server is closing
     * @throws JsonRpcException {@code -32602} with the reason {@code call_gone} for a retry of a
     *     call that has ended, went on, or is not in this process; or {@code -32602} if a response
     *     is malformed, after which the call still waits
     */
    public Outcome<?> run(
            ServerCall call, boolean blocking, Supplier<? extends AskingBody.Body<?>> body)
            throws Exception {
        Rounds rounds = call.requireRounds();
        Rounds.HeldRound retried = rounds.held().orElse(null);
        if (retried == null && rounds.isRetry()) {
            throw gone();
        }
        return retried == null ? begin(call, blocking, body.get()) : resume(call, retried);
    }

    private Outcome<?> begin(ServerCall call, boolean blocking, AskingBody.Body<?> body)
            throws Exception {
        RawJson params = call.request().params();
        if (refusing) {
            throw RequestRefusedException.closing();
        }
        HeldPlaces.Place place = places.take(call.callerKey(), params == null ? 0 : params.size());
        HeldCall held = new HeldCall(this, UUID.randomUUID().toString(), place, call);
        calls.put(held.id(), held);
        Callable<Outcome<?>> outcome;
        try {
            outcome = held.start(blocking, body);
        } catch (OutOfMemoryError e) { // the system has no more threads
            ended(held);
            throw RetryableError.exception(
                    McpErrorCode.LIMIT_EXCEEDED, "The server has no thread for the request");
        }
        if (closed) { // close() may have gone through the map before
            held.interrupt();
        }
        return outcome.call();
    }

    private Outcome<?> resume(ServerCall call, Rounds.HeldRound round) throws Exception {
        HeldCall held = calls.get(round.id());
        if (held == null) {
            throw gone();
        }
        return held.resume(call, round.number());
    }

    /** Returns the refusal of a retry whose call does not wait for it. */
    static JsonRpcException gone() {
        return new JsonRpcException(
                ErrorCode.INVALID_PARAMS,
                "The call that requestState continues has ended, or is not on this server",
                JsonObject.of("reason", "call_gone"));
    }

    /**
     * @throws RequestRefusedException if the server is closed
     */
    void requireOpen() {
        if (closed) {
            throw RequestRefusedException.closing();
        }
    }

    /** The body of a call has ended, or did not begin. */
    void ended(HeldCall held) {
        calls.remove(held.id());
        held.place().release();
        lock.lock();
        try {
            if (calls.isEmpty()) {
                noneLeft.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many bodies have begun and not ended. */
    public int size() {
        return places.size();
    }

    /** Begins no more calls. Those that wait for a retry still get it. */
    public void refuse() {
        refusing = true;
    }

    /** Waits until all calls have ended, or the time is over. */
    public void awaitEnded(Duration limit) throws InterruptedException {
        long left = limit.toNanos();
        lock.lock();
        try {
            while (!calls.isEmpty() && left > 0) {
                left = noneLeft.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Begins no more calls, and interrupts all bodies. */
    public void close() {
        refuse();
        closed = true;
        calls.values().forEach(HeldCall::interrupt);
    }
}
