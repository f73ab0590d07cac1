package dev.fairlead.server.requests;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonViolation;
import dev.fairlead.json.RawJson;
import dev.fairlead.json.TypeRef;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.peer.CallContext;
import dev.fairlead.peer.InterceptedCall;
import dev.fairlead.peer.InterceptorChain;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.base.EmptyParams;
import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.base.Role;
import dev.fairlead.protocol.content.SamplingContent;
import dev.fairlead.protocol.content.ToolResultContent;
import dev.fairlead.protocol.content.ToolUseContent;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.elicitation.ElicitAction;
import dev.fairlead.protocol.elicitation.ElicitFormRequest;
import dev.fairlead.protocol.elicitation.ElicitRequest;
import dev.fairlead.protocol.elicitation.ElicitResult;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;
import dev.fairlead.protocol.elicitation.ElicitationCompleteNotification;
import dev.fairlead.protocol.elicitation.InvalidAnswerException;
import dev.fairlead.protocol.face.NeutralForm;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.mrtr.InputRequiredSignal;
import dev.fairlead.protocol.options.Checks;
import dev.fairlead.protocol.roots.ListRootsResult;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.sampling.SamplingMessage;
import dev.fairlead.protocol.sampling.ToolChoice;
import dev.fairlead.protocol.tasks.TaskAugmentedRequest;
import dev.fairlead.protocol.tasks.TaskMetadata;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.server.handler.Action;
import dev.fairlead.server.handler.Answers;
import dev.fairlead.server.handler.Question;
import dev.fairlead.server.handler.SampledTools;
import dev.fairlead.server.handler.ServerRequests;
import dev.fairlead.tasks.engine.InputRequest;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Asks the client on behalf of a call, or of its session: checks what the client declared, sends a
 * request on the way of the call, and waits.
 *
 * @param listener receives the progress of the answers; null for none
 * @param task asks the client to run what it is asked as a task; null for plain requests
 */
public record Questions(
        ClientRequestScope scope,
        Limits limits,
        @Nullable ProgressListener listener,
        @Nullable TaskMetadata task)
        implements ServerRequests {
    /** The most questions that are asked together. */
    static final int MAX_TOGETHER = 100;

    private static final System.Logger LOGGER = System.getLogger(Questions.class.getName());

    private static final Map<String, Method<?, ?>> ASKING =
            Map.of(
                    Methods.ELICIT.name(), Methods.ELICIT,
                    Methods.CREATE_MESSAGE.name(), Methods.CREATE_MESSAGE,
                    Methods.LIST_ROOTS.name(), Methods.LIST_ROOTS);

    /**
     * How long to wait.
     *
     * @param request for what a program answers
     * @param question for what a person answers
     * @param maximum whatever progress comes; null: as long as without progress
     */
    public record Limits(Duration request, Duration question, @Nullable Duration maximum) {
        public static Limits of(Duration request, Duration question) {
            return new Limits(request, question, null);
        }
    }

    /** The requests of a scope, with its own limits. */
    public static Questions of(ClientRequestScope scope) {
        return new Questions(scope, scope.limits(), null, null);
    }

    @Override
    public ServerRequests withTimeout(Duration timeout, Duration maximum) {
        Checks.positive(timeout, "timeout");
        if (maximum.compareTo(timeout) < 0) {
            throw new IllegalArgumentException(
                    "maximum must not be below the timeout, but they are "
                            + maximum
                            + " and "
                            + timeout);
        }
        return new Questions(scope, new Limits(timeout, timeout, maximum), listener, task);
    }

    @Override
    public ServerRequests withProgress(ProgressListener listener) {
        return new Questions(scope, limits, Objects.requireNonNull(listener, "listener"), task);
    }

    @Override
    public ServerRequests withTask(Duration ttl) {
        Checks.positive(ttl, "ttl");
        return new Questions(
                scope, limits, listener, new TaskMetadata().withTtl(Math.max(1, ttl.toMillis())));
    }

    @Override
    public ClientCapabilities capabilities() {
        return scope.capabilities();
    }

    private void require(Method<?, ?> method, RequestParams params) {
        RequiredCapabilities.check(capabilities(), scope.face().has(method), method, params);
    }

    // ---- questions

    @Override
    @SuppressWarnings("unchecked") // the plan of a question gives the type of the question
    public <T> T ask(Question<T> question) throws InterruptedException {
        QuestionPlan<?, ?, ?> plan = plan(question);
        if (!scope.interceptors().isEmpty()) {
            return (T) plan.answer(new Asking(List.of(plan), scope::ask).ask().get(0));
        }
        // little is on the stack meanwhile, and kept by a thread that waits for long
        ClientRequest<?> request = request(plan);
        return (T) plan.answer(scope.read(request.method(), scope.ask(List.of(request)).get(0)));
    }

    @Override
    public Answers ask(Question<?> first, Question<?> second, Question<?>... more)
            throws InterruptedException {
        List<Question<?>> questions = new ArrayList<>(List.of(first, second));
        questions.addAll(List.of(more));
        return together(questions);
    }

    private Answers together(List<Question<?>> questions) throws InterruptedException {
        requireDistinct(questions);
        List<QuestionPlan<?, ?, ?>> plans = plans(questions);
        List<Result> results = new Asking(plans, scope::ask).ask();
        Map<Question<?>, Object> answers = new IdentityHashMap<>();
        for (int i = 0; i < questions.size(); i++) {
            answers.put(questions.get(i), plans.get(i).answer(results.get(i)));
        }
        return new FoundAnswers(answers);
    }

    private static void requireDistinct(List<Question<?>> questions) {
        Set<String> keys = new HashSet<>();
        Set<Question<?>> objects = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Question<?> question : questions) {
            if (question.key() != null && !keys.add(question.key())) {
                throw new IllegalArgumentException(
                        "Two questions have the key '" + question.key() + "'");
            }
            if (!objects.add(question)) {
                throw new IllegalArgumentException(
                        "The same question is asked twice; create one for each answer");
            }
        }
    }

    private List<QuestionPlan<?, ?, ?>> plans(List<Question<?>> questions) {
        if (questions.size() > MAX_TOGETHER) {
            throw new IllegalArgumentException(
                    "Limit of questions that are asked together reached (" + MAX_TOGETHER + ")");
        }
        List<QuestionPlan<?, ?, ?>> plans = new ArrayList<>();
        for (Question<?> question : questions) {
            plans.add(plan(question));
        }
        return plans;
    }

    /**
     * Has the interceptors see questions that a handler has thrown, and whose answers come with
     * another request.
     */
    public ThrownQuestions thrown(List<Question<?>> questions) throws InterruptedException {
        List<QuestionPlan<?, ?, ?>> plans = plans(questions);
        Asking asking =
                new Asking(
                        plans,
                        open -> {
                            throw Rounds.signal();
                        });
        try {
            asking.ask();
        } catch (InputRequiredSignal asked) {
            // the client is asked what no interceptor has answered
        }
        List<ClientRequest<?>> thrown = new ArrayList<>();
        if (!scope.interceptors().isEmpty()) {
            asking.due.forEach(index -> thrown.add(request(plans.get(index))));
        }
        return new ThrownQuestions(List.copyOf(asking.requests), thrown, asking.replaced());
    }

    /**
     * Has the interceptors see the answers to questions that a handler threw in an earlier request.
     *
     * @param thrown the questions by their key on the wire, in their neutral form
     * @param responses the answers by the same keys; a question without one is left out
     * @return the answers as the interceptors leave them, by key
     * @throws JsonRpcException {@code -32602} if a response is not an answer to its question
     */
    public Map<String, RawJson> answered(
            Map<String, InputRequest> thrown, Map<String, RawJson> responses)
            throws InterruptedException {
        List<QuestionPlan<?, ?, ?>> plans = new ArrayList<>();
        Map<String, RawJson> answers = new LinkedHashMap<>();
        thrown.forEach(
                (key, question) -> {
                    if (responses.containsKey(key)) {
                        Method<?, ?> method = Objects.requireNonNull(ASKING.get(question.method()));
                        answers.put(key, Rounds.valid(key, method, responses.get(key)));
                        plans.add(plan(method, question.params(), key));
                    }
                });
        Asking asking =
                new Asking(
                        plans,
                        open ->
                                open.stream()
                                        .<RawJson>map(
                                                asked ->
                                                        Objects.requireNonNull(
                                                                answers.get(asked.key())))
                                        .toList());
        List<Result> results = asking.ask();
        for (int i = 0; i < results.size(); i++) {
            if (results.get(i) != asking.received[i]) { // otherwise as the client wrote it
                QuestionPlan<?, ?, ?> plan = plans.get(i);
                answers.put(
                        Objects.requireNonNull(plan.key()),
                        RawJson.of(plan.neutral(results.get(i))));
            }
        }
        return answers;
    }

    private <P extends RequestParams, R extends Result> QuestionPlan<P, R, R> plan(
            Method<P, R> method, RawJson params, String key) {
        return new QuestionPlan<>(
                method,
                NeutralForm.readParams(method, params),
                limits.question(),
                key,
                Function.identity());
    }

    /**
     * Asks questions that have keys, for a handler that reads the results itself.
     *
     * @param sender sends them in place of the scope
     * @return the results by key, in their neutral form
     */
    public Map<String, JsonObject> results(List<Question<?>> questions, QuestionSender sender)
            throws InterruptedException {
        List<QuestionPlan<?, ?, ?>> plans = plans(questions);
        List<Result> results = new Asking(plans, sender).ask();
        Map<String, JsonObject> byKey = new LinkedHashMap<>();
        for (int i = 0; i < results.size(); i++) {
            byKey.put(
                    Objects.requireNonNull(questions.get(i).key()),
                    plans.get(i).neutral(results.get(i)));
        }
        return byKey;
    }

    private record FoundAnswers(Map<Question<?>, Object> answers) implements Answers {
        @Override
        @SuppressWarnings("unchecked") // the plan of a question gives the type of the question
        public <T> T to(Question<T> question) {
            Object answer = answers.get(question);
            if (answer == null) {
                throw new IllegalArgumentException("This question was not asked: " + question);
            }
            return (T) answer;
        }
    }

    /**
     * How a question is asked.
     *
     * @param reading of the result
     */
    private record QuestionPlan<P extends RequestParams, R extends Result, T>(
            Method<P, R> method,
            P params,
            Duration timeout,
            @Nullable String key,
            Function<R, T> reading) {
        T answer(Result result) {
            return reading.apply(method.result().cast(result));
        }

        JsonObject neutral(Result result) {
            return (JsonObject)
                    NeutralForm.writeResult(method, method.result().cast(result)).value();
        }
    }

    private QuestionPlan<?, ?, ?> plan(Question<?> question) {
        return switch (question) {
            case Question.RecordForm<?> form -> plan(form);
            case Question.Elicitation elicitation -> plan(elicitation);
            case Question.Sampling sampling -> plan(sampling);
            case Question.RootList roots -> {
                require(Methods.LIST_ROOTS, EmptyParams.EMPTY);
                yield new QuestionPlan<>(
                        Methods.LIST_ROOTS,
                        EmptyParams.EMPTY,
                        limits.request(),
                        roots.key(),
                        ListRootsResult::roots);
            }
        };
    }

    private <A> QuestionPlan<?, ?, Answer<A>> plan(Question.RecordForm<A> question) {
        Form<A> form = new Form<>(question.form());
        ElicitFormRequest request = new ElicitFormRequest(question.message(), form.schema());
        require(Methods.ELICIT, request);
        return new QuestionPlan<>(
                Methods.ELICIT,
                request,
                limits.question(),
                question.key(),
                result ->
                        switch (result.action()) {
                            case ACCEPT -> Answer.accept(form.read(content(result)));
                            case DECLINE -> Answer.decline();
                            case CANCEL -> Answer.cancel();
                        });
    }

    private static JsonObject content(ElicitResult result) {
        JsonObject content = result.content();
        return content == null ? JsonObject.EMPTY : content;
    }

    private QuestionPlan<?, ?, ElicitResult> plan(Question.Elicitation question) {
        ElicitRequest request = question.request();
        require(Methods.ELICIT, request);
        return new QuestionPlan<>(
                Methods.ELICIT,
                request,
                limits.question(),
                question.key(),
                result -> checked(request, result));
    }

    private static ElicitResult checked(ElicitRequest request, ElicitResult result) {
        if (request instanceof ElicitFormRequest form && result.action() == ElicitAction.ACCEPT) {
            List<JsonViolation> violations =
                    JsonSchema.of(form.requestedSchema()).validate(content(result));
            if (!violations.isEmpty()) {
                throw new InvalidAnswerException(content(result), violations);
            }
        }
        return result;
    }

    private QuestionPlan<?, ?, CreateMessageResult> plan(Question.Sampling question) {
        CreateMessageRequest request = question.request();
        require(Methods.CREATE_MESSAGE, request);
        return new QuestionPlan<>(
                Methods.CREATE_MESSAGE,
                request,
                limits.question(),
                question.key(),
                result -> result);
    }

    // ---- short forms

    @Override
    public <T> Answer<T> elicit(String message, Class<T> form) throws InterruptedException {
        return ask(Question.elicit(message, form));
    }

    @Override
    public <T> Answer<T> elicit(String message, TypeRef<T> type) throws InterruptedException {
        return ask(Question.elicit(message, type));
    }

    @Override
    public ElicitResult elicit(ElicitRequest request) throws InterruptedException {
        return ask(Question.elicit(request));
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> Answer<T> elicitUrl(
            String message, URI url, Action<T, E> action) throws E, InterruptedException {
        if (!url.isAbsolute()) {
            throw new IllegalArgumentException("the page must have a whole URL but was " + url);
        }
        String id = scope.newElicitationId();
        ElicitResult result = elicit(new ElicitUrlRequest(message, url.toString(), id));
        return switch (result.action()) {
            case ACCEPT -> {
                T value = action.run();
                complete(id);
                yield Answer.accept(value);
            }
            case DECLINE -> Answer.decline();
            case CANCEL -> Answer.cancel();
        };
    }

    /** Notifies the client, and only it, that the page is done. */
    private void complete(String id) {
        if (!scope.face().has(Notifications.ELICITATION_COMPLETE)) {
            return;
        }
        try {
            scope.notify(
                    scope.face()
                            .notification(
                                    Notifications.ELICITATION_COMPLETE,
                                    new ElicitationCompleteNotification(id)));
        } catch (ConnectionException e) {
            LOGGER.log(
                    Level.DEBUG,
                    "notifications/elicitation/complete was not sent: {0}",
                    e.getMessage());
        }
    }

    @Override
    public CreateMessageResult sample(String text, long maxTokens) throws InterruptedException {
        return ask(Question.sample(text, maxTokens));
    }

    @Override
    public CreateMessageResult sample(CreateMessageRequest request) throws InterruptedException {
        return ask(Question.sample(request));
    }

    @Override
    public <E extends Exception> CreateMessageResult sample(
            CreateMessageRequest request, int rounds, SampledTools<E> tools)
            throws E, InterruptedException {
        Checks.positive(rounds, "rounds");
        CreateMessageRequest next = request;
        for (int round = 1; ; round++) {
            boolean last = round == rounds;
            CreateMessageResult result =
                    sample(last ? next.withToolChoice(ToolChoice.of(ToolChoice.Mode.NONE)) : next);
            if (result.toolUses().isEmpty()) {
                return result;
            }
            if (last) {
                throw new ToolFailedException(
                        "The model still wanted tools after " + rounds + " rounds");
            }
            List<SamplingMessage> messages = new ArrayList<>(next.messages());
            messages.add(new SamplingMessage(result.role(), result.content()));
            messages.add(new SamplingMessage(Role.USER, results(result.toolUses(), tools)));
            next = next.withMessages(messages);
        }
    }

    /** One message of nothing but results, one for each use. */
    private static <E extends Exception> List<SamplingContent> results(
            List<ToolUseContent> uses, SampledTools<E> tools) throws E, InterruptedException {
        List<SamplingContent> results = new ArrayList<>();
        for (ToolUseContent use : uses) {
            CallToolResult result;
            try {
                result = tools.run(use);
            } catch (ToolFailedException e) {
                result = e.result();
            }
            results.add(
                    new ToolResultContent(use.id(), result.content())
                            .withStructuredContent(result.structuredContent())
                            .withIsError(result.errorFlag()));
        }
        return results;
    }

    @Override
    public List<Root> roots() throws InterruptedException {
        return ask(Question.roots());
    }

    // ---- sending

    /**
     * Asks questions together. The interceptors of each question stand around those of the next,
     * and the innermost sends all that none of them has answered.
     */
    private final class Asking {
        private final List<QuestionPlan<?, ?, ?>> plans;
        private final QuestionSender sender;
        private final @Nullable Result[] results;
        private final @Nullable Result[] received; // by index, from the sender
        private final List<Integer> due = new ArrayList<>(); // indexes of what is sent
        private final List<ClientRequest<?>> requests = new ArrayList<>();
        private boolean sent;
        private @Nullable RuntimeException failure; // of what was sent
        private @Nullable InputRequiredSignal signal; // the client is asked by the result

        Asking(List<QuestionPlan<?, ?, ?>> plans, QuestionSender sender) {
            this.plans = plans;
            this.sender = sender;
            this.results = new Result[plans.size()];
            this.received = new Result[plans.size()];
        }

        List<Result> ask() throws InterruptedException {
            if (scope.interceptors().isEmpty()) { // without a frame for each question
                for (int i = 0; i < plans.size(); i++) {
                    due.add(i);
                    requests.add(request(plans.get(i)));
                }
                send();
            } else {
                askFrom(0);
            }
            List<Result> all = new ArrayList<>();
            for (int i = 0; i < results.length; i++) {
                all.add(result(i));
            }
            return all;
        }

        /** Fails if all failed together, and an interceptor replaced the failure of another one. */
        private Result result(int index) {
            Result result = results[index];
            if (result == null && signal != null) {
                throw signal;
            }
            if (result == null) {
                throw Objects.requireNonNull(failure, "a question without a result has failed");
            }
            return result;
        }

        private void askFrom(int index) throws InterruptedException {
            if (index == plans.size()) {
                send();
            } else {
                intercept(index, plans.get(index));
            }
        }

        private void add(int index, ClientRequest<?> request) throws InterruptedException {
            due.add(index);
            requests.add(request);
            askFrom(index + 1);
        }

        private <P extends RequestParams, R extends Result> void intercept(
                int index, QuestionPlan<P, R, ?> plan) throws InterruptedException {
            CallContext context =
                    CallContext.outbound(scope.sessionInfo(), Optional.of(scope.face().revision()));
            int before = due.size();
            sent = false;
            Outcome<R> outcome =
                    InterceptorChain.runUnchecked(
                            scope.interceptors(),
                            new InterceptedCall(
                                    plan.method().name(), plan.params(), false, context),
                            plan.method().result(),
                            asked -> {
                                due.subList(before, due.size()).clear(); // asked once more
                                requests.subList(before, requests.size()).clear();
                                Arrays.fill(results, index, results.length, null);
                                P params = plan.method().params().cast(asked.params());
                                add(index, request(plan, params));
                                return Outcome.complete(plan.method().result().cast(result(index)));
                            });
            results[index] = InterceptorChain.result(plan.method().name(), outcome);
            if (!sent) { // an interceptor answered in place of the client
                askFrom(index + 1);
            }
        }

        private void send() throws InterruptedException {
            sent = true;
            if (requests.isEmpty()) {
                return;
            }
            try {
                List<RawJson> answers = sender.send(List.copyOf(requests));
                for (int i = 0; i < answers.size(); i++) {
                    Result result = scope.read(requests.get(i).method(), answers.get(i));
                    results[due.get(i)] = result;
                    received[due.get(i)] = result;
                }
            } catch (RuntimeException e) {
                failure = e;
                throw e;
            } catch (InputRequiredSignal e) {
                signal = e;
                throw e;
            }
        }

        /** Returns the results of the questions that were not sent, by their index. */
        Map<Integer, JsonObject> replaced() {
            Map<Integer, JsonObject> replaced = new HashMap<>();
            for (int i = 0; i < results.length; i++) {
                Result result = results[i];
                if (result != null && !due.contains(i)) {
                    replaced.put(i, plans.get(i).neutral(result));
                }
            }
            return replaced;
        }
    }

    private <P extends RequestParams> ClientRequest<P> request(QuestionPlan<P, ?, ?> plan) {
        return request(plan, plan.params());
    }

    private <P extends RequestParams> ClientRequest<P> request(
            QuestionPlan<P, ?, ?> plan, P params) {
        Duration maximum = limits.maximum() == null ? plan.timeout() : limits.maximum();
        return new ClientRequest<>(
                plan.method(),
                asTask(plan.method(), params),
                plan.timeout(),
                maximum,
                plan.key(),
                listener);
    }

    /** The same parameters, asking for a task if that is wanted; what cannot be one stays plain. */
    private <P extends RequestParams> P asTask(Method<P, ?> method, P params) {
        if (task == null || !(params instanceof TaskAugmentedRequest request)) {
            return params;
        }
        boolean taken =
                capabilities().tasks().filter(tasks -> tasks.takes(method.name())).isPresent();
        if (!taken) {
            throw CapabilityException.missing(
                    "tasks.requests." + method.name().replace('/', '.'), method.name());
        }
        return method.params().cast(request.withTask(task));
    }
}
