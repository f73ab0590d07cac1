package dev.fairlead.server.requests;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.RoutedState;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The rounds of a request that asks its client by its result: the body starts again with the
 * answers so far, which travel in the state of the request. A recorded answer is found by the
 * identity of its question, so that order and threads do not matter. An answer is recorded when it
 * comes, whether or not the run gets as far as its question. Thread-safe.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr Multi
 *     round-trip requests
 */
public final class Rounds implements QuestionCarrier {
    /** The most rounds of one request. */
    public static final int MAX = 16;

    private static final List<Method<?, ?>> KINDS =
            List.of(Methods.ELICIT, Methods.CREATE_MESSAGE, Methods.LIST_ROOTS);

    private final RequestStates states;
    private final Supplier<StateBinding> bindingOf;
    private final boolean mayMove;
    private final long node;
    private final InputResponses responses;
    private final boolean hasState;
    private final StateContent state; // of the rounds before
    private @Nullable StateBinding binding; // guarded by this; null: not needed yet
    private @Nullable RoundQuestions run; // guarded by this; null: nothing was asked yet
    private @Nullable JsonRpcException invalid; // guarded by this

    /**
     * The held call that a retry belongs to.
     *
     * @param id of the call
     * @param number of the round whose questions the retry answers
     */
    public record HeldRound(String id, int number) {}

    /**
     * Begins the rounds of a request, or continues them.
     *
     * @param binding is asked only once it is needed
     * @param mayMove whether the next round may reach another process
     * @param node to which others forward the next round of a held call; 0 if none does
     * @throws JsonRpcException {@code -32602} if the members of a retry are malformed, or its state
     *     is refused
     */
    public Rounds(
            @Nullable RawJson params,
            Supplier<StateBinding> binding,
            boolean mayMove,
            long node,
            RequestStates states) {
        this.states = states;
        this.bindingOf = binding;
        this.mayMove = mayMove;
        this.node = node;
        RawJson sealed = params == null ? null : params.member(PerRequestFace.REQUEST_STATE);
        this.responses =
                InputResponses.read(
                        params == null ? null : params.member(PerRequestFace.INPUT_RESPONSES));
        if (sealed == null || InputResponses.isNull(sealed)) {
            this.hasState = false;
            this.state = StateContent.NONE;
        } else if (sealed.isString()) {
            this.hasState = true;
            RoutedState routed = RoutedState.of(sealed);
            this.state = states.open(routed.sealed(), binding().at(routed.node()));
        } else {
            throw JsonRpcException.invalidParams("Invalid params: requestState must be a string");
        }
    }

    private synchronized StateBinding binding() {
        if (binding == null) {
            binding = bindingOf.get();
        }
        return binding;
    }

    /**
     * Returns the questions of this run. Answers to the questions of the last round are recorded
     * with the first: another thread of the body may ask something else, so that this run ends
     * without them. Answers to thrown questions are left to the handler.
     *
     * @throws JsonRpcException {@code -32602} if one of them is not an answer to its question
     */
    private RoundQuestions run() {
        if (run != null) {
            return run;
        }
        RoundQuestions begun = new RoundQuestions();
        for (StateContent.Answer answer : state.answers()) {
            begun.answers.put(new QuestionIds.Id(answer.key(), answer.digest()), answer.value());
        }
        state.asked()
                .forEach(
                        (key, asked) -> {
                            if (!asked.isThrown() && responses.has(key)) {
                                begun.answers.put(
                                        new QuestionIds.Id(key, asked.digest()),
                                        valid(key, kind(asked)));
                            }
                        });
        run = begun;
        return begun;
    }

    private static Method<?, ?> kind(StateContent.Asked asked) {
        return KINDS.stream()
                .filter(kind -> kind.name().equals(asked.method()))
                .findFirst()
                .orElseThrow();
    }

    /** Returns which round this is, from 1, by the state of the request. */
    public int number() {
        return state.round() + 1;
    }

    /** Returns the state of the rounds before; {@link StateContent#NONE} in the first. */
    public StateContent before() {
        return state;
    }

    /** Returns the held call that the request belongs to; empty if there is none. */
    public Optional<HeldRound> held() {
        return Optional.ofNullable(state.held()).map(id -> new HeldRound(id, state.round()));
    }

    /** Returns whether the request brings a state or responses. */
    public boolean isRetry() {
        return hasState || !responses.byKey().isEmpty();
    }

    /**
     * Returns questions of a held call with the answers that the request brings.
     *
     * @throws JsonRpcException {@code -32602} if a response is not an answer to its question
     */
    public HeldQuestions answer(HeldQuestions questions) {
        return questions.answeredBy(responses);
    }

    /** Returns the responses to pages that the handler needed, which alone have no key of it. */
    public List<RawJson> responsesToPages() {
        return responses.byKey().entrySet().stream()
                .filter(response -> !hasState || isPage(response.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }

    private boolean isPage(String key) {
        StateContent.Asked asked = state.asked().get(key);
        return asked != null
                && asked.isThrown()
                && key.equals(QuestionIds.of(null, asked.digest()).key());
    }

    /** Returns the input of a handler that is entered again with answers to thrown questions. */
    public Optional<Retry> retry() {
        if (hasState ? !hasThrown() : responses.byKey().isEmpty()) {
            return Optional.empty();
        }
        Map<String, JsonObject> byKey = new LinkedHashMap<>();
        responses
                .byKey()
                .forEach(
                        (key, response) -> {
                            StateContent.Asked asked = state.asked().get(key);
                            if (asked != null && !asked.isThrown()) {
                                return;
                            }
                            if (response.value() instanceof JsonObject object) {
                                byKey.put(key, object);
                            } else if (!hasState || asked != null) {
                                throw InputResponses.malformed(key, "it must be an object");
                            }
                        });
        if (state.entry() != null) { // last: a client does not replace them
            state.entry().members().forEach((key, value) -> byKey.put(key, (JsonObject) value));
        }
        return Optional.of(new Retry(byKey, state.own()));
    }

    /** Returns whether the handler threw its questions in this round or an earlier one. */
    private boolean hasThrown() {
        return state.own() != null
                || state.entry() != null
                || state.asked().values().stream().anyMatch(StateContent.Asked::isThrown);
    }

    /** The body starts in this request, perhaps once more. */
    public synchronized void restart() {
        if (run != null) {
            run.restart();
        }
    }

    /**
     * Returns the recorded answers.
     *
     * @throws InputRequiredSignal if one question has none yet
     * @throws JsonRpcException {@code -32602} if one of them is not an answer to its question
     */
    @Override
    public synchronized List<RawJson> ask(List<ClientRequest<?>> questions) {
        List<RawJson> found = new ArrayList<>();
        for (ClientRequest<?> question : questions) {
            RawJson answer = answer(question);
            if (answer != null) {
                found.add(answer);
            }
        }
        if (found.size() < questions.size()) {
            throw new AskedSignal();
        }
        return found;
    }

    private @Nullable RawJson answer(ClientRequest<?> question) {
        WireQuestion written = WireQuestion.of(question);
        RoundQuestions asking = run();
        QuestionIds.Id id = asking.ids.next(question.key(), written.digest());
        RawJson recorded = asking.answers.get(id);
        if (recorded == null && isAnswerTo(id)) {
            recorded = valid(id.key(), question.method());
            asking.answers.put(id, recorded);
        }
        if (recorded == null) {
            asking.open(id, written, question.method());
            return null;
        }
        asking.given.add(
                new TaskRequest.Answered(
                        new RunQuestion(question.method().name(), question.neutral()),
                        new TaskOutcome.Result(recorded.detached(), false)));
        return recorded;
    }

    /** Returns whether a response answers a question that the last round asked in the same way. */
    private boolean isAnswerTo(QuestionIds.Id id) {
        StateContent.Asked asked = state.asked().get(id.key());
        return responses.has(id.key())
                && (!hasState || (asked != null && asked.digest().equals(id.digest())));
    }

    private RawJson valid(String key, Method<?, ?> method) {
        try {
            return responses.answer(key, method);
        } catch (JsonRpcException e) {
            invalid = e;
            throw e;
        }
    }

    /** Adds questions that a handler has thrown, and after which it is entered again. */
    public synchronized void open(List<ClientRequest<?>> thrown) {
        RoundQuestions asking = run();
        asking.entry = null;
        for (ClientRequest<?> question : thrown) {
            WireQuestion written = WireQuestion.of(question);
            asking.open(QuestionIds.of(question.key(), written.digest()), written, null);
        }
    }

    /** Sets the answers to thrown questions that the handler gets in the next round as well. */
    public synchronized void keepEntry(Map<String, JsonObject> answers) {
        Map<String, JsonValue> members = new LinkedHashMap<>(answers);
        run().entry = new JsonObject(members);
    }

    /** Returns the questions that had their answers, in the order in which they were asked. */
    public synchronized List<TaskRequest.Answered> answered() {
        return run == null ? List.of() : List.copyOf(run.given);
    }

    /**
     * Returns whether a question has no answer.
     *
     * @throws JsonRpcException {@code -32602} if an answer was malformed
     */
    public synchronized boolean hasOpenQuestions() {
        if (invalid != null) {
            throw invalid;
        }
        return run != null && !run.open.isEmpty();
    }

    /** Returns the keys of the questions without an answer, and how each starts, for a log. */
    public synchronized String openForLog() {
        List<String> open = new ArrayList<>();
        run().open.forEach((key, question) -> open.add(key + ": " + question.forLog()));
        return String.join(", ", open);
    }

    /**
     * Returns the answer of the request: its open questions, and the state.
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
        requireNotMore(round);
        RoundQuestions asked = run();
        List<StateContent.Answer> answers = new ArrayList<>();
        asked.answers.forEach(
                (id, value) -> answers.add(new StateContent.Answer(id.key(), id.digest(), value)));
        Map<String, InputRequest> requests = new LinkedHashMap<>();
        asked.open.forEach((key, question) -> requests.put(key, question.request()));
        StateContent content =
                new StateContent(
                        0,
                        0,
                        round,
                        base,
                        answers,
                        asked.asked,
                        once,
                        own,
                        null,
                        asked.entry,
                        reports);
        return new InputRequiredResult(
                requests.isEmpty() ? null : requests, states.seal(content, binding(), mayMove));
    }

    /**
     * Returns the answer of a request whose call is held: its open questions, and a state that
     * names the call and the round.
     *
     * @throws JsonRpcException {@code -32603} if the state is too large
     */
    public InputRequiredResult result(HeldRound held, HeldQuestions questions) {
        // a key that processes share would not help: the call is in this one
        StateContent content = StateContent.held(held.id(), held.number());
        String sealed = states.seal(content, binding().at(node), false);
        return new InputRequiredResult(questions.open(), RoutedState.text(node, sealed));
    }

    /**
     * Checks the number of a round.
     *
     * @throws JsonRpcException {@code -32603} if it is beyond {@link #MAX}
     */
    public static void requireNotMore(int round) {
        if (round > MAX) {
            throw new JsonRpcException(
                    ErrorCode.INTERNAL_ERROR,
                    "The client was asked in " + MAX + " rounds, which is the most");
        }
    }
}
