package dev.fairlead.client;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.peer.CallContext;
import dev.fairlead.peer.CreatedTasks;
import dev.fairlead.peer.InterceptedCall;
import dev.fairlead.peer.InterceptorChain;
import dev.fairlead.peer.SessionTasks;
import dev.fairlead.protocol.ClientCapabilities;
import dev.fairlead.protocol.EmptyParams;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.ListRootsResult;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.Progress;
import dev.fairlead.protocol.ProgressToken;
import dev.fairlead.protocol.RelatedTask;
import dev.fairlead.protocol.RequestParams;
import dev.fairlead.protocol.Result;
import dev.fairlead.protocol.Root;
import dev.fairlead.protocol.Side;
import dev.fairlead.protocol.TaskAugmentedRequest;
import dev.fairlead.protocol.TasksCapability;
import dev.fairlead.protocol.engine.ConnectionHandler;
import dev.fairlead.protocol.engine.IncomingRequest;
import dev.fairlead.protocol.face.HandshakeFace;
import dev.fairlead.protocol.face.Received;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.tasks.engine.TaskRequest;
import dev.fairlead.tasks.receiver.TaskReceiver;
import dev.fairlead.tasks.requestor.RemoteTasks;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/** What a client does with the requests and notifications of one session. */
final class Receiver implements ConnectionHandler {
    private final ServerSession session;
    private final ClientSettings settings;
    private final Supplier<List<Root>> roots;
    private final Notices notices;
    private final RemoteTasks tasks;
    private final @Nullable SessionTasks ownTasks;
    private final Owner owner; // the server: the only one that can ask for them
    private final Elicitation elicitation;
    private final Sampling sampling;

    Receiver(
            ServerSession session,
            ClientSettings settings,
            Supplier<List<Root>> roots,
            Notices notices,
            RemoteTasks tasks,
            @Nullable TaskReceiver ownTasks,
            UrlElicitations visits) {
        this.session = session;
        this.settings = settings;
        this.roots = roots;
        this.notices = notices;
        this.tasks = tasks;
        this.ownTasks = ownTasks == null ? null : tasksFrom(ownTasks);
        this.owner = new Owner.Local(settings.taskServer);
        this.elicitation = new Elicitation(() -> session.server().serverInfo(), settings, visits);
        this.sampling = new Sampling(settings);
    }

    private SessionTasks tasksFrom(TaskReceiver receiver) {
        RequestingServer server =
                new RequestingServer(session, receiver.engine().limits().pollInterval());
        SessionTasks own = new SessionTasks(receiver, server, true);
        session.atEnd(own::closed);
        return own;
    }

    @Override
    public @Nullable RawJson handleAtOnce(JsonRpcRequest request, Exchange exchange) {
        if (request.method().equals(Methods.PING.name())) {
            return RawJson.EMPTY_OBJECT; // in every phase (PING-006)
        }
        if (session.revision().isEmpty()) {
            throw JsonRpcException.invalidRequest("The session is not initialized yet");
        }
        if (!isServed(request.method())) {
            throw JsonRpcException.methodNotFound(request.method());
        }
        return null;
    }

    /**
     * Whether a method is of the revision and of a capability that was declared, or the user's own
     * (ERR-005, VERS-012).
     */
    private boolean isServed(String name) {
        Method<?, ?> method = session.face().method(name, Side.CLIENT).orElse(null);
        if (method == null) {
            return settings.onRequest.containsKey(name);
        }
        ClientCapabilities declared = settings.capabilities();
        return (method.equals(Methods.LIST_ROOTS) && declared.roots())
                || (method.equals(Methods.CREATE_MESSAGE) && declared.sampling())
                || (method.equals(Methods.ELICIT) && declared.elicitation())
                || (name.startsWith("tasks/") && servesOfTasks(name));
    }

    private boolean servesOfTasks(String name) {
        TasksCapability declared = settings.tasksCapability();
        return declared != null && TaskReceiver.serves(declared, name);
    }

    /** Whether requests of a method may be run as tasks (TASK-004). */
    private boolean takesAsTask(Method<?, ?> method) {
        TasksCapability declared = settings.tasksCapability();
        return declared != null && declared.takes(method.name());
    }

    @Override
    public boolean isWaitedForWhileItAnswers() {
        return true;
    }

    @Override
    public boolean progressed(ProgressToken token, @Nullable JsonObject meta, Progress progress) {
        return tasks.progressed(token, meta, progress);
    }

    @Override
    public RawJson handle(IncomingRequest request) throws Exception {
        return switch (request.method()) {
            case "roots/list" ->
                    answer(
                            Methods.LIST_ROOTS,
                            request,
                            params -> related(Methods.LIST_ROOTS, params, listRoots(params)));
            case "sampling/createMessage" ->
                    answerQuestion(
                            Methods.CREATE_MESSAGE, request, sampling::require, sampling::sample);
            case "elicitation/create" ->
                    answerQuestion(
                            Methods.ELICIT, request, elicitation::require, elicitation::elicit);
            default -> ownTasks == null ? answerOwn(request) : answerTasks(request, ownTasks);
        };
    }

    private RawJson answerTasks(IncomingRequest request, SessionTasks own) throws Exception {
        return switch (request.method()) {
            case "tasks/get" -> answer(Methods.GET_TASK, request, params -> own.get(owner, params));
            case "tasks/result" ->
                    answer(
                            Methods.GET_TASK_PAYLOAD,
                            request,
                            params -> own.result(owner, params, request));
            case "tasks/list" ->
                    answer(Methods.LIST_TASKS, request, params -> own.list(owner, params));
            case "tasks/cancel" ->
                    answer(Methods.CANCEL_TASK, request, params -> own.cancel(owner, params));
            default -> answerOwn(request);
        };
    }

    /** What answers a method. */
    @FunctionalInterface
    private interface Body<P, R> {
        R answer(P params) throws Exception;
    }

    private <P extends RequestParams, R extends Result> RawJson answer(
            Method<P, R> method, IncomingRequest request, Body<P, R> body) throws Exception {
        P params = session.face().readParams(method, request.params()).params();
        Outcome<R> outcome =
                intercepted(request, params, method, seen -> Outcome.complete(body.answer(seen)));
        return session.face().writeOutcome(method, outcome);
    }

    /** Finds the faults of a question that are to be told before it becomes a task (TASK-026). */
    @FunctionalInterface
    private interface Check<P> {
        void require(P params);
    }

    /** Answers a question, or makes a task of it where that was declared (TASK-009, TASK-020). */
    private <P extends TaskAugmentedRequest, R extends Result> RawJson answerQuestion(
            Method<P, R> method, IncomingRequest request, Check<P> check, Body<P, R> body)
            throws Exception {
        WireFace face = session.face();
        SessionTasks own = ownTasks;
        boolean takes = own != null && takesAsTask(method);
        Received<P> received =
                takes
                        ? face.readParams(method, request.params())
                        : face.readPlainParams(method, request.params());
        P params = received.params();
        if (own == null) {
            Outcome<R> outcome =
                    intercepted(
                            request, params, method, seen -> Outcome.complete(body.answer(seen)));
            return face.writeOutcome(method, related(method, params, outcome));
        }
        CreatedTasks created = own.createdBy(request);
        Outcome<R> outcome =
                intercepted(
                        request,
                        params,
                        method,
                        seen -> {
                            if (seen.task() == null) {
                                return Outcome.complete(body.answer(seen));
                            }
                            check.require(seen);
                            return new Outcome.TaskCreated<>(
                                    created.create(
                                            owner,
                                            taskRequest(method, seen, received.progressToken()),
                                            null));
                        });
        RawJson answer = face.writeOutcome(method, related(method, params, outcome));
        if (outcome instanceof Outcome.TaskCreated<R> task) {
            created.answered(task.task());
        }
        return answer;
    }

    /** What is stored of a question that was found to be without fault. */
    private <P extends TaskAugmentedRequest> TaskRequest taskRequest(
            Method<P, ?> method, P asked, @Nullable ProgressToken token) {
        RawJson params =
                Objects.requireNonNull(session.face().writeParams(method, asked, null), "params");
        return new TaskRequest(
                method.name(),
                "",
                new QuestionOrigin(params, session.server().serverInfo()).write(),
                token,
                TaskRequest.ttl(asked.task()),
                settings.rerunTasks);
    }

    /** The answer to a question of a task belongs to that task as well (TASK-063, TASK-064). */
    private static <R extends Result> Outcome<R> related(
            Method<?, R> method, RequestParams params, Outcome<R> outcome) {
        return outcome instanceof Outcome.Complete<R> complete
                ? Outcome.complete(related(method, params, complete.result()))
                : outcome;
    }

    private static <R extends Result> R related(
            Method<?, R> method, RequestParams params, R result) {
        return RelatedTask.of(params.meta())
                .map(task -> result.withMeta(RelatedTask.add(result.meta(), task)))
                .map(method.result()::cast)
                .orElse(result);
    }

    private <P extends RequestParams, R extends Result> Outcome<R> intercepted(
            IncomingRequest request, P params, Method<P, R> method, Body<P, Outcome<R>> body)
            throws Exception {
        return InterceptorChain.run(
                settings.inbound,
                seen(request, params),
                method.result(),
                call -> body.answer(method.params().cast(call.params())));
    }

    private MethodCall seen(IncomingRequest request, Object params) {
        CallContext context =
                CallContext.inbound(request.exchange().caller(), request.id(), session.info());
        return new InterceptedCall(request.method(), params, true, context);
    }

    private RawJson answerOwn(IncomingRequest request) throws Exception {
        RequestHandler handler = settings.onRequest.get(request.method());
        if (handler == null) {
            throw JsonRpcException.methodNotFound(request.method());
        }
        RawJson raw = request.params();
        JsonObject params = raw == null ? JsonObject.EMPTY : (JsonObject) raw.value();
        Outcome<JsonObject> outcome =
                InterceptorChain.run(
                        settings.inbound,
                        seen(request, params),
                        JsonObject.class,
                        call -> Outcome.complete(handler.handle((JsonObject) call.params())));
        return RawJson.of(InterceptorChain.result(request.method(), outcome));
    }

    private ListRootsResult listRoots(EmptyParams none) throws Exception {
        RootsHandler handler = settings.onRoots;
        return new ListRootsResult(handler == null ? roots.get() : Roots.checked(handler.roots()));
    }

    @Override
    public void handle(JsonRpcNotification notification, Exchange exchange) {
        // log messages may come before the handshake is over (LIFE-006)
        notices.handle(notification, HandshakeFace.of(session.revision().orElse(settings.newest)));
    }
}
