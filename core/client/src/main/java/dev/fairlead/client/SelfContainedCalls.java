package dev.fairlead.client;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.ForeignAnswerException;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Side;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.engine.Connection;
import dev.fairlead.protocol.engine.OutgoingRequest;
import dev.fairlead.protocol.face.PerRequestFace;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.mrtr.InputRequest;
import dev.fairlead.protocol.mrtr.InputRequiredResult;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.protocol.tools.CallToolRequest;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/**
 * Sends requests that say of themselves what the server must know, each to its end: what the server
 * needs is answered by the handlers of the user, and the request sent again with the answers.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr Multi
 *     round-trip requests
 */
final class SelfContainedCalls {
    private static final String META = "_meta";

    /** The requests that a server may answer with what it needs. */
    private static final Set<Method<?, ?>> WITH_ROUNDS =
            Set.of(Methods.CALL_TOOL, Methods.GET_PROMPT, Methods.READ_RESOURCE);

    /** The waits before the request is sent again for a state alone; the last one is repeated. */
    private static final List<Duration> PAUSES =
            List.of(Duration.ofMillis(50), Duration.ofMillis(100), Duration.ofMillis(250));

    private final ClientSettings settings;
    private final Connection connection;
    private final PerRequestFace face;
    private final Inputs inputs;
    private final Supplier<@Nullable LoggingLevel> level;
    private final ToolDefinitions tools;
    private final DefinitionReader definitions;
    private final ResponseCache cache;
    private final boolean headers;
    private final Timers timers;
    private volatile @Nullable Claim claimed;

    /** Reads the definitions of tools that are out of date. */
    @FunctionalInterface
    interface DefinitionReader {
        /**
         * @param seen the version of the definitions by which the call was sent
         * @param options of the call that the reading belongs to
         */
        void readAgain(String tool, long seen, CallOptions options) throws InterruptedException;
    }

    /**
     * @param level of log messages that are wanted now; null for none
     * @param headers whether the transport has headers that repeat arguments
     */
    SelfContainedCalls(
            ClientSettings settings,
            Connection connection,
            PerRequestFace face,
            Inputs inputs,
            Supplier<@Nullable LoggingLevel> level,
            ToolDefinitions tools,
            DefinitionReader definitions,
            ResponseCache cache,
            boolean headers,
            Timers timers) {
        this.settings = settings;
        this.connection = connection;
        this.face = face;
        this.inputs = inputs;
        this.level = level;
        this.tools = tools;
        this.definitions = definitions;
        this.cache = cache;
        this.headers = headers;
        this.timers = timers;
    }

    /**
     * Sends a request and waits for its outcome, over as many rounds as it takes.
     *
     * @param declared whether the request declares that this client knows tasks
     * @param tasks whether the server may make a task of it
     * @throws TooManyRoundsException if the server does not stop asking
     */
    <P extends RequestParams, R extends Result> Outcome<R> call(
            Method<P, R> method, P params, CallOptions given, boolean declared, boolean tasks)
            throws InterruptedException {
        CallOptions options = given.begun(timers);
        if (options.cache() == ResponseCache.Use.NORMAL) {
            Optional<R> kept = cache.find(method, params, options.headers());
            if (kept.isPresent()) {
                return Outcome.complete(kept.get());
            }
        }
        long askedAt = cache.version();
        Claim claim = claim(declared);
        RoundsOfCall rounds = new RoundsOfCall(method.name(), withHeaders(params), options);
        Round round = rounds.first();
        while (true) {
            Round current = round;
            RawJson raw =
                    rounds.send(current, token -> params(method, params, claim, token, current));
            ListBytes list = options.list();
            if (list != null) {
                list.add(raw);
            }
            switch (face.readOutcome(method, raw)) {
                case Outcome.Complete<R> complete -> {
                    if (current.isFirst() && options.cache() != ResponseCache.Use.NONE) {
                        cache.keep(
                                method, params, options.headers(), complete.result(), raw, askedAt);
                    }
                    return complete;
                }
                case Outcome.TaskCreated<R> created -> {
                    if (!tasks) {
                        throw unwantedTask(method);
                    }
                    return created;
                }
                case Outcome.InputRequired<R> required ->
                        round = rounds.next(method, round, required.input(), params.meta());
            }
        }
    }

    /** Sends the rounds of one call. For one thread. */
    private final class RoundsOfCall {
        private final String method;
        private final @Nullable CallToolRequest tool;
        private final CallOptions options;
        private final OngoingCall call;
        private final @Nullable ProgressListener progress;

        /**
         * @param tool whose arguments are repeated in headers; null for none
         */
        RoundsOfCall(String method, @Nullable CallToolRequest tool, CallOptions options) {
            this.method = method;
            this.tool = tool;
            this.options = options;
            this.call = options.ongoing();
            // a tool shows by it that it runs, which counts for callers that wait beside this
            // thread
            boolean asks = options.listener() != null || method.equals(Methods.CALL_TOOL.name());
            this.progress = asks ? this::progress : null;
        }

        private void progress(Progress report) {
            call.signOfLife();
            if (options.listener() instanceof ProgressListener listener) {
                listener.progress(report);
            }
        }

        Round first() {
            return call.first();
        }

        /**
         * Sends a round. It is sent once more, with headers by what the server lists now, if it
         * refuses them. A later round than the first is also sent once more if its answer is lost
         * and the request only reads: to begin the call again would ask people a second time.
         */
        RawJson send(Round round, OutgoingRequest.Parameters params) throws InterruptedException {
            options.round().accept(round.number() + 1);
            call.begin(round);
            boolean isLooked = false;
            boolean isLost = false;
            while (true) {
                long seen = tool == null ? 0 : tools.version();
                try {
                    return call.request(connection, request(params));
                } catch (JsonRpcException e) {
                    if (isLooked || tool == null || e.code() != McpErrorCode.HEADER_MISMATCH) {
                        throw e;
                    }
                    isLooked = true;
                    definitions.readAgain(tool.name(), seen, options);
                } catch (ConnectionException e) {
                    if (isLost
                            || round.isFirst()
                            || e instanceof ForeignAnswerException
                            || !RequestPipeline.reads(method)) {
                        throw e;
                    }
                    isLost = true;
                }
                options.repeated();
            }
        }

        private OutgoingRequest request(OutgoingRequest.Parameters params) {
            return new OutgoingRequest(
                            method, params, options.timeout(), options.maximum(), progress, null)
                    .withHeaders(headers(tool, options));
        }

        /**
         * Answers what the server needs; the time of the handlers does not count.
         *
         * @param meta of the call, which questions that have none inherit
         */
        Round next(
                Method<?, ?> known,
                Round round,
                InputRequiredResult input,
                @Nullable JsonObject meta)
                throws InterruptedException {
            call.left(method); // before people are asked in vain
            Round next = call.asked(() -> SelfContainedCalls.this.next(known, round, input, meta));
            if (next.waits() > 0) {
                Duration pause = PAUSES.get(Math.min(next.waits(), PAUSES.size()) - 1);
                call.spend(pause);
                call.left(method);
                pause(pause);
            }
            options.repeated();
            return next;
        }
    }

    /**
     * Sends one round of a request, and has nothing answered that the server needs.
     *
     * @return complete, or questions that this client could answer
     */
    <P extends RequestParams, R extends Result> Outcome<R> round(
            Method<P, R> method, P params, Round round, CallOptions options)
            throws InterruptedException {
        Claim claim = claim(false);
        RawJson raw =
                new RoundsOfCall(method.name(), withHeaders(params), options.begun(timers))
                        .send(round, token -> params(method, params, claim, token, round));
        Outcome<R> outcome = face.readOutcome(method, raw);
        switch (outcome) {
            case Outcome.Complete<R> complete -> {}
            case Outcome.TaskCreated<R> created -> throw unwantedTask(method);
            case Outcome.InputRequired<R> required -> requireUsable(method, required.input());
        }
        return outcome;
    }

    private void requireUsable(Method<?, ?> method, InputRequiredResult input) {
        Map<String, InputRequest> requests = input.inputRequests();
        if (requests != null && !requests.isEmpty()) {
            inputs.require(requests, face.revision());
        } else if (input.requestState() == null) {
            throw requiresNothing(method);
        }
    }

    private static InvalidResultException unwantedTask(Method<?, ?> method) {
        return new InvalidResultException(
                method.name() + " was answered with a task, which it did not allow", null);
    }

    private static InvalidResultException requiresNothing(Method<?, ?> method) {
        return new InvalidResultException(
                method.name() + " was answered with input_required that requires nothing", null);
    }

    /**
     * What requests say of this client in {@code _meta}.
     *
     * @param json of {@code meta}
     */
    private record Claim(
            @Nullable LoggingLevel level, boolean tasks, JsonObject meta, RawJson json) {}

    /** Returns what requests say of this client now, which most requests repeat. */
    private Claim claim(boolean tasks) {
        LoggingLevel wanted = level.get();
        Claim last = claimed;
        if (last == null || last.level() != wanted || last.tasks() != tasks) {
            JsonObject meta = settings.requestMeta(face.revision(), wanted, tasks);
            last = new Claim(wanted, tasks, meta, RawJson.of(meta));
            claimed = last;
        }
        return last;
    }

    /**
     * @param meta of the call, which questions that have none inherit
     */
    private Round next(
            Method<?, ?> method, Round round, InputRequiredResult input, @Nullable JsonObject meta)
            throws InterruptedException {
        if (!WITH_ROUNDS.contains(method)) {
            throw new InvalidResultException(
                    method.name() + " was answered with input_required, which it cannot be", null);
        }
        if (round.number() == settings.maxRounds) {
            throw new TooManyRoundsException(method.name(), settings.maxRounds);
        }
        Map<String, InputRequest> requests = input.inputRequests();
        String state = input.requestState();
        if (requests != null && !requests.isEmpty()) {
            Map<String, RawJson> answers = inputs.answer(requests, face.revision(), meta);
            if (Thread.interrupted()) { // a handler has answered all the same
                throw new InterruptedException(method.name() + ": the caller no longer waits");
            }
            return new Round(round.number() + 1, 0, Inputs.member(answers), state);
        }
        if (state == null) {
            throw requiresNothing(method);
        }
        return new Round(round.number() + 1, round.waits() + 1, null, state);
    }

    private void pause(Duration time) throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        Timers.Timer timer = timers.schedule(time, over::countDown);
        try {
            over.await();
        } finally {
            timer.cancel();
        }
    }

    private <P extends RequestParams> RawJson params(
            Method<P, ?> method,
            P params,
            Claim claim,
            @Nullable ProgressToken token,
            Round round) {
        JsonObject own = params.meta();
        if (own != null) {
            P sent = method.params().cast(params.withMeta(own.with(claim.meta())));
            return round.added(face.writeParams(method, sent, token));
        }
        return round.added(face.writeParams(method, params, claim.json(), token));
    }

    /** The call of a tool whose arguments are repeated in headers; null for anything else. */
    private @Nullable CallToolRequest withHeaders(RequestParams params) {
        return headers && params instanceof CallToolRequest call ? call : null;
    }

    /** The headers of the user, and those that repeat arguments of a tool that is known. */
    private Map<String, String> headers(@Nullable CallToolRequest tool, CallOptions options) {
        Map<String, String> repeated = tool == null ? Map.of() : tools.headers(tool);
        if (repeated.isEmpty()) {
            return options.headers();
        }
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(options.headers());
        all.putAll(repeated);
        return all;
    }

    /**
     * Sends a request as it is, but for what every request says of its client, over as many rounds
     * as it takes; the last result is given as it came.
     */
    JsonObject callRaw(String method, JsonObject params, CallOptions given)
            throws InterruptedException {
        CallOptions options = given.begun(timers);
        boolean ofTasks = method.startsWith("tasks/");
        JsonObject meta = claim(ofTasks).meta();
        JsonObject own = params.get(META) instanceof JsonObject meant ? meant : JsonObject.EMPTY;
        JsonObject sent = params.with(META, own.with(meta));
        Method<?, ?> known = face.method(method, Side.SERVER).orElse(null);
        RoundsOfCall rounds = new RoundsOfCall(method, withHeaders(method, params), options);
        Round round = rounds.first();
        while (true) {
            Round current = round;
            RawJson raw =
                    rounds.send(
                            current,
                            token ->
                                    current.added(
                                            RawJson.of(SessionWithServer.withToken(sent, token))));
            JsonObject result = (JsonObject) raw.value(); // the message parser takes no other
            if (known == null || PerRequestFace.isComplete(result)) {
                return result;
            }
            switch (face.readOutcome(known, raw)) {
                case Outcome.Complete<?> complete -> {
                    return result;
                }
                case Outcome.TaskCreated<?> created -> throw unwantedTask(known);
                case Outcome.InputRequired<?> required ->
                        round = rounds.next(known, round, required.input(), own);
            }
        }
    }

    private @Nullable CallToolRequest withHeaders(String method, JsonObject params) {
        return method.equals(Methods.CALL_TOOL.name())
                        && params.get("name") instanceof JsonString tool
                        && params.get("arguments") instanceof JsonObject arguments
                ? withHeaders(new CallToolRequest(tool.value(), arguments))
                : null;
    }
}
