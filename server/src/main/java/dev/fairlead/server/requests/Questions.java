package dev.fairlead.server.requests;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonViolation;
import dev.fairlead.json.RawJson;
import dev.fairlead.json.TypeRef;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcNotification;
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
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.options.Checks;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.sampling.IncludeContext;
import dev.fairlead.protocol.sampling.SamplingMessage;
import dev.fairlead.protocol.sampling.ToolChoice;
import dev.fairlead.protocol.tasks.TaskAugmentedRequest;
import dev.fairlead.protocol.tasks.TaskMetadata;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.server.handler.Action;
import dev.fairlead.server.handler.SampledTools;
import dev.fairlead.server.handler.ServerRequests;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Asks the client on behalf of a call, or of its session: checks what the client declared, sends a
 * request on the way of the call, and waits.
 *
 * @param listener hears the progress of the answers; null where nobody does
 * @param task asks the client to run what it is asked as a task; null for plain requests
 */
public record Questions(
        ClientRequestScope asker,
        Limits limits,
        @Nullable ProgressListener listener,
        @Nullable TaskMetadata task)
        implements ServerRequests {
    private static final System.Logger LOGGER = System.getLogger(Questions.class.getName());

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
    public static Questions of(ClientRequestScope asker) {
        return new Questions(asker, asker.limits(), null, null);
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
        return new Questions(asker, new Limits(timeout, timeout, maximum), listener, task);
    }

    @Override
    public ServerRequests withProgress(ProgressListener heard) {
        return new Questions(asker, limits, Objects.requireNonNull(heard, "listener"), task);
    }

    @Override
    public ServerRequests withTask(Duration ttl) {
        Checks.positive(ttl, "ttl");
        return new Questions(
                asker, limits, listener, new TaskMetadata().withTtl(Math.max(1, ttl.toMillis())));
    }

    @Override
    public ClientCapabilities capabilities() {
        return asker.capabilities();
    }

    private void require(boolean declared, String capability, Method<?, ?> method) {
        if (!declared || !asker.face().has(method)) {
            throw CapabilityException.missing(capability, method.name());
        }
    }

    // ---- elicitation

    @Override
    public <T> Answer<T> elicit(String message, Class<T> form) throws InterruptedException {
        return elicit(message, TypeRef.of(form));
    }

    @Override
    public <T> Answer<T> elicit(String message, TypeRef<T> type) throws InterruptedException {
        require(capabilities().elicitationForm(), "elicitation.form", Methods.ELICIT);
        Form<T> form = new Form<>(type);
        ElicitResult result =
                ask(
                        Methods.ELICIT,
                        new ElicitFormRequest(message, form.schema()),
                        limits.question());
        return switch (result.action()) {
            case ACCEPT -> Answer.accept(form.read(content(result)));
            case DECLINE -> Answer.decline();
            case CANCEL -> Answer.cancel();
        };
    }

    private static JsonObject content(ElicitResult result) {
        JsonObject content = result.content();
        return content == null ? JsonObject.EMPTY : content;
    }

    @Override
    public ElicitResult elicit(ElicitRequest request) throws InterruptedException {
        switch (request) {
            case ElicitUrlRequest page ->
                    require(capabilities().elicitationUrl(), "elicitation.url", Methods.ELICIT);
            case ElicitFormRequest form ->
                    require(capabilities().elicitationForm(), "elicitation.form", Methods.ELICIT);
        }
        ElicitResult result = ask(Methods.ELICIT, request, limits.question());
        if (request instanceof ElicitFormRequest form && result.action() == ElicitAction.ACCEPT) {
            List<JsonViolation> violations =
                    JsonSchema.of(form.requestedSchema()).validate(content(result));
            if (!violations.isEmpty()) {
                throw new InvalidAnswerException(content(result), violations);
            }
        }
        return result;
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> Answer<T> elicitUrl(
            String message, URI url, Action<T, E> action) throws E, InterruptedException {
        if (!url.isAbsolute()) {
            throw new IllegalArgumentException("the page must have a whole URL but was " + url);
        }
        require(capabilities().elicitationUrl(), "elicitation.url", Methods.ELICIT);
        String id = asker.newElicitationId();
        ElicitResult result =
                ask(
                        Methods.ELICIT,
                        new ElicitUrlRequest(message, url.toString(), id),
                        limits.question());
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

    /** Tells the client, and only it, that the page is done. */
    private void complete(String id) {
        try {
            asker.notify(
                    new JsonRpcNotification(
                            Notifications.ELICITATION_COMPLETE.name(),
                            asker.face()
                                    .writeNotification(
                                            Notifications.ELICITATION_COMPLETE,
                                            new ElicitationCompleteNotification(id))));
        } catch (ConnectionException e) {
            LOGGER.log(
                    Level.DEBUG,
                    "notifications/elicitation/complete was not sent: {0}",
                    e.getMessage());
        }
    }

    // ---- sampling

    @Override
    public CreateMessageResult sample(String text, long maxTokens) throws InterruptedException {
        return sample(CreateMessageRequest.of(text, maxTokens));
    }

    @Override
    public CreateMessageResult sample(CreateMessageRequest request) throws InterruptedException {
        require(capabilities().sampling(), "sampling", Methods.CREATE_MESSAGE);
        if (request.tools() != null || request.toolChoice() != null) {
            require(capabilities().samplingTools(), "sampling.tools", Methods.CREATE_MESSAGE);
        }
        if (request.includeContext() != null && request.includeContext() != IncludeContext.NONE) {
            require(capabilities().samplingContext(), "sampling.context", Methods.CREATE_MESSAGE);
        }
        return ask(Methods.CREATE_MESSAGE, request, limits.question());
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

    // ---- roots

    @Override
    public List<Root> roots() throws InterruptedException {
        require(capabilities().roots(), "roots", Methods.LIST_ROOTS);
        return ask(Methods.LIST_ROOTS, EmptyParams.EMPTY, limits.request()).roots();
    }

    // ---- sending

    private <P extends RequestParams, R extends Result> R ask(
            Method<P, R> method, P params, Duration timeout) throws InterruptedException {
        if (asker.interceptors().isEmpty()) {
            return send(method, params, timeout);
        }
        CallContext context =
                CallContext.outbound(asker.sessionInfo(), Optional.of(asker.face().revision()));
        Outcome<R> outcome =
                InterceptorChain.runUnchecked(
                        asker.interceptors(),
                        new InterceptedCall(method.name(), params, false, context),
                        method.result(),
                        asked ->
                                Outcome.complete(
                                        send(
                                                method,
                                                method.params().cast(asked.params()),
                                                timeout)));
        return InterceptorChain.result(method.name(), outcome);
    }

    private <P extends RequestParams, R extends Result> R send(
            Method<P, R> method, P params, Duration timeout) throws InterruptedException {
        Duration maximum = limits.maximum() == null ? timeout : limits.maximum();
        RawJson result =
                asker.ask(
                        new Question<>(method, asTask(method, params), timeout, maximum, listener));
        return asker.read(method, result);
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
