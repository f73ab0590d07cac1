package dev.fairlead.client.handlers;

import dev.fairlead.client.handlers.QuestionTable.Question;
import dev.fairlead.client.internal.ClientSettings;
import dev.fairlead.client.link.InputAnswers;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.peer.CallContext;
import dev.fairlead.peer.InterceptedCall;
import dev.fairlead.peer.InterceptorChain;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.face.NeutralForm;
import dev.fairlead.protocol.face.PerRequestFace;
import dev.fairlead.protocol.mrtr.InputRequest;
import dev.fairlead.protocol.roots.Root;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Lets the handlers of the user answer the input requests of a server before it can complete a
 * request: the same handlers that answer its requests in a session.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr Multi
 *     round-trip requests
 */
public final class Inputs implements InputAnswers {
    /** The most entries of one answer of a server. */
    public static final int MAX_ENTRIES = 32;

    /** Answers one entry. */
    @FunctionalInterface
    private interface Handler extends Callable<RawJson> {
        /**
         * @throws CallException if the handler of the user threw a checked exception
         */
        @Override
        RawJson call() throws InterruptedException;
    }

    private final ClientSettings settings;
    private final QuestionTable questions;

    public Inputs(
            ClientSettings settings,
            Supplier<List<Root>> roots,
            Supplier<Implementation> server,
            UrlElicitations visits) {
        this.settings = settings;
        this.questions = new QuestionTable(settings, roots, server, visits);
    }

    @Override
    public Map<String, RawJson> answer(
            Map<String, InputRequest> requests, Revision revision, @Nullable JsonObject inherited)
            throws InterruptedException {
        CallContext context =
                new QuestionContext(revision, inherited == null ? JsonObject.EMPTY : inherited);
        Map<String, Handler> handlers = handlers(requests, context);
        return handlers.size() == 1 ? one(handlers) : together(handlers);
    }

    @Override
    public void require(Map<String, InputRequest> requests, Revision revision) {
        handlers(requests, new QuestionContext(revision, JsonObject.EMPTY));
    }

    private Map<String, Handler> handlers(Map<String, InputRequest> requests, CallContext context) {
        if (requests.size() > MAX_ENTRIES) {
            throw new InvalidResultException(
                    "a server may ask for %s things at a time but asked for %s"
                            .formatted(MAX_ENTRIES, requests.size()),
                    null);
        }
        Map<String, Handler> handlers = new LinkedHashMap<>();
        requests.forEach((key, request) -> handlers.put(key, handler(key, request, context)));
        return handlers;
    }

    private static Map<String, RawJson> one(Map<String, Handler> handlers)
            throws InterruptedException {
        Map.Entry<String, Handler> only = handlers.entrySet().iterator().next();
        return Map.of(only.getKey(), only.getValue().call());
    }

    /** The first that fails ends all others. */
    private static Map<String, RawJson> together(Map<String, Handler> handlers)
            throws InterruptedException {
        ExecutorService threads =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("mcp-input-", 0).factory());
        try {
            var answers = new ExecutorCompletionService<Map.Entry<String, RawJson>>(threads);
            handlers.forEach(
                    (key, handler) -> answers.submit(() -> Map.entry(key, handler.call())));
            Map<String, RawJson> given = new HashMap<>();
            while (given.size() < handlers.size()) {
                Map.Entry<String, RawJson> answer = answers.take().get();
                given.put(answer.getKey(), answer.getValue());
            }
            Map<String, RawJson> inOrder = new LinkedHashMap<>();
            handlers.keySet().forEach(key -> inOrder.put(key, given.get(key)));
            return inOrder;
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    /** Returns the failure that ends the call after an exception of a handler. */
    private static RuntimeException failure(@Nullable Throwable cause) throws InterruptedException {
        return switch (cause) {
            case RuntimeException unchecked -> unchecked;
            case InterruptedException interrupted -> throw interrupted;
            case Error error -> throw error;
            case null, default -> throw new AssertionError("a handler cannot throw this", cause);
        };
    }

    /** The context of a question, which has no session. */
    private record QuestionContext(Revision spoken, JsonObject inheritedMeta)
            implements CallContext {
        @Override
        public Optional<Revision> revision() {
            return Optional.of(spoken);
        }
    }

    private Handler handler(String key, InputRequest request, CallContext context) {
        String method = request.method();
        Question<?, ?> question =
                questions
                        .find(method)
                        .orElseThrow(
                                () ->
                                        new InvalidResultException(
                                                "the server asks for input "
                                                        + key
                                                        + " by "
                                                        + method
                                                        + ", which this client did not declare",
                                                null));
        return handler(key, question, request, context);
    }

    private <P extends RequestParams, R extends Result> Handler handler(
            String key, Question<P, R> question, InputRequest request, CallContext context) {
        Method<P, R> method = question.method();
        P params = PerRequestFace.inputParams(method, key, request);
        try {
            question.check().accept(params);
        } catch (JsonRpcException e) {
            throw new InvalidResultException(
                    "the server asks for input " + key + ": " + e.getMessage(), e);
        }
        MethodCall call = new InterceptedCall(method.name(), params, true, context);
        return () -> NeutralForm.writeResult(method, result(question, call));
    }

    private <P extends RequestParams, R extends Result> R result(
            Question<P, R> question, MethodCall call) throws InterruptedException {
        Method<P, R> method = question.method();
        try {
            return InterceptorChain.result(
                    method.name(),
                    InterceptorChain.run(
                            settings.inbound,
                            call,
                            method.result(),
                            seen -> {
                                P params = method.params().cast(seen.params());
                                return Outcome.complete(question.answer().handle(params));
                            }));
        } catch (RuntimeException | InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw settings.failures.handlerFailed(method.name(), e);
        }
    }
}
