package dev.fairlead.server.requests;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.base.Role;
import dev.fairlead.protocol.content.SamplingContent;
import dev.fairlead.protocol.content.ToolResultContent;
import dev.fairlead.protocol.content.ToolUseContent;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.elicitation.ElicitResult;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;
import dev.fairlead.protocol.elicitation.ElicitationCompleteNotification;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.mrtr.InputRequiredSignal;
import dev.fairlead.protocol.options.Checks;
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

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Asks the client on behalf of a call, or of its session: checks the declared capabilities, gives
 * the questions to a carrier, and waits.
 */
public class Questions implements ServerRequests {
    /** The most questions that are asked together. */
    static final int MAX_TOGETHER = 100;

    private static final System.Logger LOGGER = System.getLogger(Questions.class.getName());

    private final ClientRequestScope scope;
    private final QuestionCarrier carrier;
    private final QuestionLimits limits;
    private final @Nullable ProgressListener listener; // null: nothing listens to progress
    private final @Nullable TaskMetadata task; // null: the client is asked by plain requests
    private final AtomicInteger pages; // that a person was led to in this run

    /** Creates the requests of a scope, with its own limits. */
    public Questions(ClientRequestScope scope, QuestionCarrier carrier) {
        this(scope, carrier, scope.limits(), null, null, new AtomicInteger());
    }

    private Questions(
            ClientRequestScope scope,
            QuestionCarrier carrier,
            QuestionLimits limits,
            @Nullable ProgressListener listener,
            @Nullable TaskMetadata task,
            AtomicInteger pages) {
        this.scope = scope;
        this.carrier = carrier;
        this.limits = limits;
        this.listener = listener;
        this.task = task;
        this.pages = pages;
    }

    /** Begins another run of the body, which asks the same. */
    protected final void beginAgain() {
        pages.set(0);
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
        QuestionLimits changed = new QuestionLimits(timeout, timeout, maximum);
        return new Questions(scope, carrier, changed, listener, task, pages);
    }

    @Override
    public ServerRequests withProgress(ProgressListener listener) {
        Objects.requireNonNull(listener, "listener");
        return new Questions(scope, carrier, limits, listener, task, pages);
    }

    @Override
    public ServerRequests withTask(Duration ttl) {
        Checks.positive(ttl, "ttl");
        TaskMetadata wanted = new TaskMetadata().withTtl(Math.max(1, ttl.toMillis()));
        return new Questions(scope, carrier, limits, listener, wanted, pages);
    }

    @Override
    public ClientCapabilities capabilities() {
        return scope.capabilities();
    }

    // ---- questions

    @Override
    @SuppressWarnings("unchecked") // the plan of a question gives the type of the question
    public <T> T ask(Question<T> question) throws InterruptedException {
        QuestionPlan<?, ?, ?> plan = plan(question);
        if (!scope.interceptors().isEmpty()) {
            return (T) plan.answer(asking(List.of(plan), carrier).ask().get(0));
        }
        // little is on the stack meanwhile, and kept by a thread that waits for long
        ClientRequest<?> request = request(plan);
        List<RawJson> answers = carrier.ask(List.of(request));
        return (T) plan.answer(scope.read(request.method(), answers.get(0)));
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
        List<Result> results = asking(plans, carrier).ask();
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
     * Returns the requests for questions that a handler has thrown, and whose answers come with
     * another request. Interceptors see them leave, and may change or refuse them.
     *
     * @throws IllegalStateException if an interceptor answers one in place of the client
     */
    public List<ClientRequest<?>> leaving(List<Question<?>> questions) throws InterruptedException {
        Asking asking =
                asking(
                        plans(questions),
                        open -> {
                            throw new AskedSignal();
                        });
        try {
            asking.ask();
        } catch (InputRequiredSignal asked) {
            // the client is asked by the result
        }
        List<ClientRequest<?>> leaving = asking.requests();
        if (leaving.size() < questions.size()) {
            throw new IllegalStateException(
                    "An interceptor answered a question that a handler threw in place of the"
                            + " client; let the handler ask by Call.ask");
        }
        return leaving;
    }

    /**
     * Asks questions that have keys, for a handler that reads the results itself.
     *
     * @param direct takes them in place of the carrier of the other questions
     * @return the results by key, in their neutral form
     */
    public Map<String, JsonObject> results(List<Question<?>> questions, QuestionCarrier direct)
            throws InterruptedException {
        List<QuestionPlan<?, ?, ?>> plans = plans(questions);
        List<Result> results = asking(plans, direct).ask();
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

    private QuestionPlan<?, ?, ?> plan(Question<?> question) {
        QuestionPlan<?, ?, ?> plan = QuestionPlan.of(question, limits);
        RequiredCapabilities.check(
                capabilities(), scope.face().has(plan.method()), plan.method(), plan.params());
        return plan;
    }

    // ---- short forms

    @Override
    public <T extends @Nullable Object, E extends Exception> Answer<T> elicitUrl(
            String message, URI url, Action<T, E> action) throws E, InterruptedException {
        if (!url.isAbsolute()) {
            throw new IllegalArgumentException("the page must have a whole URL but was " + url);
        }
        String id = scope.elicitationId(pages.incrementAndGet());
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
            scope.sendToClient(
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

    // ---- sending

    private Asking asking(List<QuestionPlan<?, ?, ?>> plans, QuestionCarrier by) {
        return new Asking(scope, plans, this::request, by);
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

    /**
     * Returns the same parameters, asking for a task if that is wanted; a request that cannot be
     * one stays plain.
     */
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
