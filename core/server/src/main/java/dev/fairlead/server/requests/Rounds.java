package dev.fairlead.server.requests;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.face.NeutralForm;
import dev.fairlead.protocol.face.PerRequestFace;
import dev.fairlead.protocol.mrtr.InputRequest;
import dev.fairlead.protocol.mrtr.InputRequiredResult;
import dev.fairlead.protocol.mrtr.InputRequiredSignal;
import dev.fairlead.server.handler.Retry;
import dev.fairlead.server.notifications.SentReports;
import dev.fairlead.server.requeststate.RequestStates;
import dev.fairlead.server.requeststate.StateBinding;
import dev.fairlead.server.requeststate.StateContent;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.engine.RunQuestion;
import dev.fairlead.tasks.engine.TaskRequest;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The rounds of a request that asks its client by its result: the body starts again with the
 * answers so far, which travel in the state of the request. A recorded answer is found by the key
 * of its question (if it has one), the digest of the question, and how often the same was asked
 * before in this run, so that order and threads do not matter. An answer is recorded when it comes,
 * whether or not the run gets as far as its question. Thread-safe.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr Multi
 *     round-trip requests
 */
public final class Rounds {
    /** The most rounds of one request. */
    public static final int MAX = 16;

    private static final int DIGEST_IN_KEY = 16;
    private static final RawJson NULL = RawJson.of(JsonNull.NULL);

    private static final List<Method<?, ?>> KINDS =
            List.of(Methods.ELICIT, Methods.CREATE_MESSAGE, Methods.LIST_ROOTS);

    /** Marks the identity of an answer that the next entry of the handler gets as it is. */
    private static final String IN_PLACE = " in place";

    private final RequestStates states;
    private final Supplier<StateBinding> binding;
    private final boolean mayMove;
    private Map<String, RawJson> responses; // confined to the thread of the request
    private final @Nullable StateContent state;
    private @Nullable Questions questions; // guarded by this; null: nothing was asked yet
    private @Nullable JsonRpcException invalid; // guarded by this

    /** What the body has asked in this round, and the answers that it has had. */
    private static final class Questions {
        final Map<String, RawJson> answers = new LinkedHashMap<>();
        final Map<String, Integer> asked = new HashMap<>();
        final Map<String, WireQuestion> open = new LinkedHashMap<>();
        final Map<String, String> openIdentities = new LinkedHashMap<>();
        final List<TaskRequest.Answered> given = new ArrayList<>();
        final Map<String, RawJson> later = new HashMap<>(0);
        final Map<String, RunQuestion> thrown = new LinkedHashMap<>(0);

        /**
         * Begins with the answers of earlier rounds.
         *
         * @param recorded by the identity of the question
         */
        Questions(Map<String, RawJson> recorded) {
            recorded.forEach(
                    (identity, answer) -> {
                        if (!identity.endsWith(IN_PLACE)) {
                            answers.put(identity, answer);
                        }
                    });
        }
    }

    /**
     * The held call that a retry belongs to.
     *
     * @param id of the call
     * @param number of the round whose questions the retry answers
     */
    public record HeldRound(String id, int number) {}

    /** What a supplier gives, which is asked only once it is needed. */
    private static final class Memoized<T> implements Supplier<T> {
        private final Supplier<T> supplier;
        private @Nullable T value; // guarded by this

        Memoized(Supplier<T> supplier) {
            this.supplier = supplier;
        }

        @Override
        public synchronized T get() {
            if (value == null) {
                value = supplier.get();
            }
            return value;
        }
    }

    /**
     * Unwinds a body that has asked something: the request is answered with its questions. An
     * error, so that no handler takes it for a failure.
     */
    public static final class Signal extends InputRequiredSignal {
        private static final long serialVersionUID = 1;

        private Signal() {
            super("the client is asked first, and the body starts again with the answers");
        }
    }

    /**
     * Returns what unwinds the interceptors of questions that the client is asked by the result.
     */
    static Signal signal() {
        return new Signal();
    }

    /**
     * Begins the rounds of a request, or continues them.
     *
     * @param mayMove whether the next round may reach another process
     * @throws JsonRpcException {@code -32602} if the members of a retry are malformed, or its state
     *     is refused
     */
    public static Rounds of(
            @Nullable RawJson params,
            Supplier<StateBinding> binding,
            boolean mayMove,
            RequestStates states) {
        RawJson sealed = params == null ? null : params.member(PerRequestFace.REQUEST_STATE);
        RawJson given = params == null ? null : params.member(PerRequestFace.INPUT_RESPONSES);
        return new Rounds(states, binding, mayMove, responses(given), sealed);
    }

    private Rounds(
            RequestStates states,
            Supplier<StateBinding> binding,
            boolean mayMove,
            Map<String, RawJson> responses,
            @Nullable RawJson sealed) {
        this.states = states;
        this.binding = new Memoized<>(binding);
        this.mayMove = mayMove;
        this.responses = responses;
        this.state = state(sealed, this.binding, states);
    }

    private Questions questions() {
        Questions begun = questions;
        if (begun == null) {
            begun = new Questions(state == null ? Map.of() : state.answers());
            record(begun.answers);
            questions = begun;
        }
        return begun;
    }

    /**
     * Records the answers to the questions of the last round: another thread of the body may ask
     * something first, so that this run ends without them. What the handler threw is left to it.
     *
     * @throws JsonRpcException {@code -32602} if one of them is not an answer to its question
     */
    private void record(Map<String, RawJson> answers) {
        if (state == null) {
            return;
        }
        state.asked()
                .forEach(
                        (key, asked) -> {
                            if (!isThrown(asked) && responses.containsKey(key)) {
                                int end = asked.indexOf(' ');
                                answers.put(
                                        key + " " + asked.substring(0, end),
                                        valid(key, kind(asked.substring(end + 1))));
                            }
                        });
    }

    private static Method<?, ?> kind(String name) {
        return KINDS.stream().filter(kind -> kind.name().equals(name)).findFirst().orElseThrow();
    }

    /** Returns whether the handler threw a question, by its identity in the state. */
    private static boolean isThrown(String asked) {
        return asked.indexOf(' ') < 0;
    }

    /**
     * Sets answers to thrown questions that the handler gets in the next round together with the
     * responses of the client, by key: what interceptors answered in place of the client, or what
     * the handler was entered with when it asked something.
     */
    public synchronized void keep(Map<String, JsonObject> given) {
        Map<String, RawJson> later = questions().later;
        later.clear();
        given.forEach((key, answer) -> later.put(key + IN_PLACE, RawJson.of(answer)));
    }

    private static boolean isNull(RawJson json) {
        return json.equals(NULL);
    }

    private static Map<String, RawJson> responses(@Nullable RawJson given) {
        if (given == null || isNull(given)) {
            return Map.of();
        }
        if (!given.isObject()) {
            if (given.value().equals(JsonArray.EMPTY)) {
                return Map.of();
            }
            throw JsonRpcException.invalidParams(
                    "Invalid params: inputResponses must be an object");
        }
        Map<String, RawJson> responses = new LinkedHashMap<>();
        ((JsonObject) given.value())
                .members()
                .forEach((key, response) -> responses.put(key, RawJson.of(response)));
        return responses;
    }

    private static @Nullable StateContent state(
            @Nullable RawJson sealed, Supplier<StateBinding> binding, RequestStates states) {
        if (sealed == null || isNull(sealed)) {
            return null;
        }
        if (!sealed.isString()) {
            throw JsonRpcException.invalidParams("Invalid params: requestState must be a string");
        }
        return states.open(sealed, binding.get());
    }

    /** Returns which round this is, from 1, by the state of the request. */
    public int number() {
        return state == null ? 1 : state.round() + 1;
    }

    /** Returns the base of the idempotency keys of earlier rounds; empty in the first. */
    public Optional<String> base() {
        return Optional.ofNullable(state).map(StateContent::base);
    }

    /** Returns the values that earlier rounds recorded. */
    public Map<String, RawJson> once() {
        return state == null ? Map.of() : state.once();
    }

    /** Returns the progress and log messages that earlier rounds sent; null for none. */
    public SentReports.@Nullable Kept reports() {
        return state == null ? null : state.reports();
    }

    /** Returns the held call that the request belongs to; empty if there is none. */
    public Optional<HeldRound> held() {
        return state == null || state.held() == null
                ? Optional.empty()
                : Optional.of(new HeldRound(state.held(), state.round()));
    }

    /** Returns whether the request brings a state or responses. */
    public boolean isRetry() {
        return state != null || !responses.isEmpty();
    }

    /** Returns the responses of the request, by key. */
    public Map<String, RawJson> responses() {
        return responses;
    }

    /**
     * Returns the questions that the handler threw in the last round, by their key on the wire;
     * empty if no interceptor is to see their answers.
     */
    public Map<String, RunQuestion> thrown() {
        return state == null || state.thrown() == null ? Map.of() : state.thrown();
    }

    /** Replaces responses by what interceptors made of them. */
    public void replaceResponses(Map<String, RawJson> replaced) {
        Map<String, RawJson> all = new LinkedHashMap<>(responses);
        all.putAll(replaced);
        responses = all;
    }

    /**
     * Returns what the request is answered with whose call is held: its open questions, and a state
     * that names the call and the round.
     *
     * @throws JsonRpcException {@code -32603} if the state is too large
     */
    public InputRequiredResult result(HeldRound held, HeldQuestions questions) {
        StateContent content =
                new StateContent(
                        0,
                        0,
                        held.number(),
                        "",
                        Map.of(),
                        Map.of(),
                        Map.of(),
                        null,
                        held.id(),
                        null,
                        null);
        // a key that processes share would not help: the call is in this one
        return new InputRequiredResult(
                questions.open(), states.seal(content, binding.get(), false));
    }

    /** Returns the responses to pages that the handler needed, which alone have no key of it. */
    public List<RawJson> responsesToPages() {
        return responses.entrySet().stream()
                .filter(response -> state == null || isPage(state, response.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }

    private static boolean isPage(StateContent before, String key) {
        String asked = before.asked().get(key);
        return asked != null && isThrown(asked) && key.equals(wireKey(null, asked, 0));
    }

    /** Returns the responses of the request by key, but those to what the handler asked. */
    private Map<String, RawJson> responsesToThrown() {
        if (state == null) {
            return responses;
        }
        Map<String, RawJson> rest = new LinkedHashMap<>(responses);
        rest.keySet().removeIf(key -> !isThrown(state.asked().getOrDefault(key, "")));
        return rest;
    }

    /** Returns whether the handler threw its questions in this round or an earlier one. */
    private static boolean hasThrown(StateContent before) {
        return before.own() != null
                || before.asked().values().stream().anyMatch(Rounds::isThrown)
                || before.answers().keySet().stream().anyMatch(key -> key.endsWith(IN_PLACE));
    }

    /** Returns what a handler gets that is entered again with answers to what it threw. */
    public Optional<Retry> retry() {
        if (state == null ? responses.isEmpty() : !hasThrown(state)) {
            return Optional.empty();
        }
        Map<String, JsonObject> byKey = new LinkedHashMap<>();
        responsesToThrown()
                .forEach(
                        (key, response) -> {
                            if (response.value() instanceof JsonObject object) {
                                byKey.put(key, object);
                            } else if (state == null || state.asked().containsKey(key)) {
                                throw malformed(key, "it must be an object");
                            }
                        });
        // last: a client does not replace them
        if (state != null) {
            state.answers()
                    .forEach(
                            (identity, answer) -> {
                                if (identity.endsWith(IN_PLACE)) {
                                    byKey.put(key(identity), (JsonObject) answer.value());
                                }
                            });
        }
        return Optional.of(new Retry(byKey, state == null ? null : state.own()));
    }

    private static String key(String identity) {
        return identity.substring(0, identity.length() - IN_PLACE.length());
    }

    /**
     * Returns the answers to questions.
     *
     * @throws Signal if one of them has none yet
     * @throws JsonRpcException {@code -32602} if one of them is not an answer to its question
     */
    public synchronized List<RawJson> ask(List<ClientRequest<?>> questions) {
        List<RawJson> found = new ArrayList<>();
        for (ClientRequest<?> question : questions) {
            RawJson answer = answer(question);
            if (answer != null) {
                found.add(answer);
            }
        }
        if (found.size() < questions.size()) {
            throw new Signal();
        }
        return found;
    }

    private @Nullable RawJson answer(ClientRequest<?> question) {
        WireQuestion written = WireQuestion.of(question);
        String digest = written.digest();
        String key = question.key();
        Questions run = questions();
        int before = run.asked.merge(key + " " + digest, 1, Integer::sum) - 1;
        String wireKey = wireKey(key, digest, before);
        String identity = wireKey + " " + digest;
        RawJson recorded = run.answers.get(identity);
        if (recorded == null && isAnswerTo(wireKey, digest)) {
            recorded = valid(wireKey, question.method());
            run.answers.put(identity, recorded);
        }
        if (recorded == null) {
            run.open.put(wireKey, written);
            run.openIdentities.put(wireKey, digest + " " + question.method().name());
            return null;
        }
        run.given.add(
                new TaskRequest.Answered(
                        new RunQuestion(question.method().name(), question.neutral()),
                        new TaskOutcome.Result(recorded.detached(), false)));
        return recorded;
    }

    /**
     * Without a key from the author, the key is made from the question, so that an answer never
     * fits another one.
     */
    static String wireKey(@Nullable String key, String digest, int before) {
        if (key == null) {
            return digest.substring(0, DIGEST_IN_KEY) + "-" + before;
        }
        return before == 0 ? key : key + "~" + before;
    }

    /**
     * Returns whether there is a response under a key that is not recorded yet, to the same
     * question as in the last round.
     */
    private boolean isAnswerTo(String wireKey, String digest) {
        return responses.containsKey(wireKey)
                && (state == null || digest.equals(state.asked().get(wireKey)));
    }

    private RawJson valid(String wireKey, Method<?, ?> method) {
        try {
            return valid(wireKey, method, responses.get(wireKey));
        } catch (JsonRpcException e) {
            invalid = e;
            throw e;
        }
    }

    /**
     * Returns a response that is an answer to a question.
     *
     * @throws JsonRpcException {@code -32602} if it is not
     */
    static RawJson valid(String wireKey, Method<?, ?> method, @Nullable RawJson response) {
        try {
            if (response == null || !response.isObject()) {
                throw new IllegalArgumentException("it must be an object");
            }
            NeutralForm.readWhole(method, response);
            return response;
        } catch (JsonBindingException | IllegalArgumentException e) {
            throw malformed(wireKey, Printable.excerpt(e.getMessage()));
        }
    }

    private static JsonRpcException malformed(String key, String what) {
        return JsonRpcException.invalidParams(
                "Invalid params: inputResponses."
                        + Printable.excerpt(key)
                        + " is no answer to its"
                        + " question: "
                        + what);
    }

    /** Returns the questions that had their answers, in the order in which they were asked. */
    public synchronized List<TaskRequest.Answered> answered() {
        return questions == null ? List.of() : List.copyOf(questions.given);
    }

    /** The body starts in this request, perhaps once more. */
    public synchronized void restart() {
        if (questions != null) {
            questions.asked.clear();
            questions.open.clear();
            questions.openIdentities.clear();
            questions.given.clear();
        }
    }

    /** Adds questions of a handler that is to be entered again. */
    public synchronized void open(ThrownQuestions entering) {
        Questions run = questions();
        run.thrown.clear();
        for (int i = 0; i < entering.open().size(); i++) {
            ClientRequest<?> question = entering.open().get(i);
            WireQuestion written = WireQuestion.of(question);
            String key = wireKey(question.key(), written.digest(), 0);
            run.open.put(key, written);
            run.openIdentities.put(key, written.digest());
            if (i < entering.thrown().size()) {
                run.thrown.put(
                        key,
                        new RunQuestion(
                                question.method().name(), entering.thrown().get(i).neutral()));
            }
        }
    }

    /**
     * Returns the keys of the questions without an answer.
     *
     * @throws JsonRpcException {@code -32602} if an answer was malformed, whatever became of that
     */
    public synchronized List<String> openKeys() {
        if (invalid != null) {
            throw invalid;
        }
        return questions == null ? List.of() : List.copyOf(questions.open.keySet());
    }

    /** Returns the keys of the questions without an answer, and how each starts, for a log. */
    public synchronized String openForLog() {
        List<String> open = new ArrayList<>();
        questions().open.forEach((key, question) -> open.add(key + ": " + question.forLog()));
        return String.join(", ", open);
    }

    /**
     * Returns what the request is answered with: its open questions, and the state.
     *
     * @param base of the idempotency keys
     * @param once the recorded values
     * @param own the state of the handler; null for none
     * @param reports the progress and log messages that were sent; null for none
     * @throws JsonRpcException {@code -32603} after too many rounds, or if the state is too large
     */
    public synchronized InputRequiredResult result(
            String base,
            Map<String, RawJson> once,
            @Nullable JsonValue own,
            SentReports.@Nullable Kept reports) {
        int round = number();
        if (round > MAX) {
            throw new JsonRpcException(
                    ErrorCode.INTERNAL_ERROR,
                    "The client was asked in " + MAX + " rounds, which is the most");
        }
        Questions run = questions();
        Map<String, InputRequest> requests = new LinkedHashMap<>();
        run.open.forEach((key, question) -> requests.put(key, question.request()));
        Map<String, RawJson> kept = run.answers;
        if (!run.later.isEmpty()) {
            kept = new LinkedHashMap<>(kept);
            kept.putAll(run.later);
        }
        String sealed =
                states.seal(
                        new StateContent(
                                0,
                                0,
                                round,
                                base,
                                kept,
                                run.openIdentities,
                                once,
                                own,
                                null,
                                run.thrown.isEmpty() ? null : run.thrown,
                                reports),
                        binding.get(),
                        mayMove);
        return new InputRequiredResult(requests.isEmpty() ? null : requests, sealed);
    }
}
