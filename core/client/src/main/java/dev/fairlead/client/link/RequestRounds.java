package dev.fairlead.client.link;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.engine.OutgoingRequest;
import dev.fairlead.protocol.mrtr.InputRequest;
import dev.fairlead.protocol.mrtr.InputRequiredResult;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.protocol.tools.CallToolRequest;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/**
 * Sends the rounds of one request and answers its questions between them. For one thread.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr Multi
 *     round-trip requests
 */
final class RequestRounds {
    /** The requests that a server may answer with questions. */
    private static final Set<String> WITH_ROUNDS =
            Set.of(
                    Methods.CALL_TOOL.name(),
                    Methods.GET_PROMPT.name(),
                    Methods.READ_RESOURCE.name());

    /** The waits before a request is sent again for a state alone; the last one is repeated. */
    private static final List<Duration> PAUSES =
            List.of(Duration.ofMillis(50), Duration.ofMillis(100), Duration.ofMillis(250));

    private final LinkChannel channel;
    private final LinkContext context;
    private final String method;
    private final @Nullable CallToolRequest tool;
    private final CallOptions options;
    private final OngoingCall call;
    private final @Nullable ProgressListener progress;

    /**
     * @param tool whose arguments are repeated in headers; null for none
     * @param options of a call that has begun
     */
    RequestRounds(
            LinkChannel channel,
            LinkContext context,
            String method,
            @Nullable CallToolRequest tool,
            CallOptions options) {
        this.channel = channel;
        this.context = context;
        this.method = method;
        this.tool = tool;
        this.options = options;
        this.call = options.ongoing();
        // a tool shows by it that it runs, which counts for callers that wait beside this thread
        boolean asks = options.listener != null || method.equals(Methods.CALL_TOOL.name());
        this.progress = asks ? this::progress : null;
    }

    private void progress(Progress report) {
        call.signOfLife();
        if (options.listener instanceof ProgressListener listener) {
            listener.progress(report);
        }
    }

    /**
     * Sends a round, and sends it again as {@link RetryPolicy#afterRound} decides.
     *
     * @param params the parameters without the additions of the round
     */
    RawJson send(Round round, Function<@Nullable ProgressToken, RawJson> params)
            throws InterruptedException {
        options.round.accept(round.number() + 1);
        call.begin(round);
        Set<RetryPolicy.Again> done = EnumSet.noneOf(RetryPolicy.Again.class);
        while (true) {
            long seen = tool == null ? 0 : context.tools().version();
            try {
                return call.request(channel.connection(), request(round, params));
            } catch (JsonRpcException | ConnectionException e) {
                again(RetryPolicy.afterRound(e, method, round, tool != null), done, e, seen);
            }
            options.repeated();
        }
    }

    private void again(
            RetryPolicy.Again again, Set<RetryPolicy.Again> done, CallException failure, long seen)
            throws InterruptedException {
        if (again == RetryPolicy.Again.NOTHING || !done.add(again)) {
            throw failure;
        }
        if (again == RetryPolicy.Again.ROUND_WITH_NEW_HEADERS && tool != null) {
            context.client().readDefinition(tool.name(), seen, options);
        }
    }

    private OutgoingRequest request(
            Round round, Function<@Nullable ProgressToken, RawJson> params) {
        return new OutgoingRequest(
                        method,
                        token -> round.added(params.apply(token)),
                        options.timeout,
                        options.maximum,
                        progress,
                        null)
                .withHeaders(headers());
    }

    /** Returns the headers of the user, and those that repeat arguments of a known tool. */
    private Map<String, String> headers() {
        Map<String, String> repeated = tool == null ? Map.of() : context.tools().headers(tool);
        if (repeated.isEmpty()) {
            return options.headers;
        }
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(options.headers);
        all.putAll(repeated);
        return all;
    }

    /**
     * Answers the questions of the server; the time of the handlers does not count.
     *
     * @param meta of the call, which questions that have none inherit
     */
    Round next(Round round, InputRequiredResult input, @Nullable JsonObject meta)
            throws InterruptedException {
        call.left(method); // before people are asked in vain
        Round next = call.asked(() -> answered(round, input, meta));
        if (next.waits() > 0) {
            Duration pause = PAUSES.get(Math.min(next.waits(), PAUSES.size()) - 1);
            call.spend(pause);
            call.left(method);
            pause(pause);
        }
        options.repeated();
        return next;
    }

    private Round answered(Round round, InputRequiredResult input, @Nullable JsonObject meta)
            throws InterruptedException {
        if (!WITH_ROUNDS.contains(method)) {
            throw new InvalidResultException(
                    method + " was answered with input_required, which it cannot be", null);
        }
        int most = context.settings().maxRounds;
        if (round.number() == most) {
            throw context.settings().failures.tooManyRounds(method, most);
        }
        Map<String, InputRequest> requests = input.inputRequests();
        String state = input.requestState();
        if (requests != null && !requests.isEmpty()) {
            Map<String, RawJson> answers = context.inputs().answer(requests, revision(), meta);
            if (Thread.interrupted()) { // a handler has answered all the same
                throw new InterruptedException(method + ": the caller no longer waits");
            }
            return new Round(round.number() + 1, 0, Round.member(answers), state);
        }
        requireState(state);
        return new Round(round.number() + 1, round.waits() + 1, null, state);
    }

    /** Checks that a caller can continue with the input requests of a server. */
    void requireUsable(InputRequiredResult input) {
        Map<String, InputRequest> requests = input.inputRequests();
        if (requests != null && !requests.isEmpty()) {
            context.inputs().require(requests, revision());
        } else {
            requireState(input.requestState());
        }
    }

    private void requireState(@Nullable String state) {
        if (state == null) {
            throw new InvalidResultException(
                    method + " was answered with input_required that requires nothing", null);
        }
    }

    private Revision revision() {
        return channel.face().revision();
    }

    private void pause(Duration time) throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        Timers.Timer timer = context.timers().schedule(time, over::countDown);
        try {
            over.await();
        } finally {
            timer.cancel();
        }
    }
}
