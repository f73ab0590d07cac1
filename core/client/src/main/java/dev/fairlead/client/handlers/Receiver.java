package dev.fairlead.client.handlers;

import dev.fairlead.client.handlers.QuestionTable.Question;
import dev.fairlead.client.internal.ClientSettings;
import dev.fairlead.client.internal.UserHandler;
import dev.fairlead.client.link.LinkChannel;
import dev.fairlead.client.link.LinkReceiver;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.peer.MethodTable;
import dev.fairlead.peer.Route;
import dev.fairlead.peer.SessionTasks;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.Side;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.engine.IncomingRequest;
import dev.fairlead.protocol.engine.PreparedRequest;
import dev.fairlead.protocol.face.HandshakeFace;
import dev.fairlead.protocol.lifecycle.TasksCapability;
import dev.fairlead.protocol.roots.ListRootsResult;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.tasks.TaskAugmentedRequest;
import dev.fairlead.tasks.receiver.TaskReceiver;
import dev.fairlead.tasks.requestor.RemoteTasks;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Supplier;

/** Handles the requests and notifications of one session at a client. */
public final class Receiver implements LinkReceiver {
    private final LinkChannel session;
    private final ClientSettings settings;
    private final QuestionTable questions;
    private final Notices notices;
    private final RemoteTasks tasks;
    private final @Nullable SessionTasks ownTasks;
    private final @Nullable TasksCapability declaredTasks;
    private final Owner owner; // the server: the only one that can ask for them
    private final MethodTable<ClientCall> methods = new MethodTable<>();

    public Receiver(
            LinkChannel session,
            ClientSettings settings,
            Supplier<List<Root>> roots,
            Notices notices,
            RemoteTasks tasks,
            @Nullable TaskReceiver ownTasks,
            UrlElicitations visits) {
        this.session = session;
        this.settings = settings;
        this.declaredTasks = settings.tasksCapability();
        this.notices = notices;
        this.tasks = tasks;
        this.ownTasks = ownTasks == null ? null : tasksFrom(ownTasks);
        this.owner = new Owner.Local(settings.taskServer);
        this.questions =
                new QuestionTable(settings, roots, () -> session.server().serverInfo(), visits);
        methods.add(
                Methods.LIST_ROOTS,
                (none, call) ->
                        call.related(ListRootsResult.class, questions.roots.answer().handle(none)));
        add(questions.sampling);
        add(questions.elicitation);
        methods.addTasks();
    }

    private <P extends TaskAugmentedRequest, R extends Result> void add(Question<P, R> question) {
        Method<P, R> method = question.method();
        boolean takesTasks = declaredTasks != null && declaredTasks.takes(method.name());
        methods.add(method, new QuestionRoute<>(question, takesTasks, settings.rerunAfterCrash));
    }

    private SessionTasks tasksFrom(TaskReceiver receiver) {
        RequestingServer server =
                new RequestingServer(session, receiver.engine().limits().pollInterval());
        return new SessionTasks(receiver, server, true);
    }

    /** Detaches the tasks of the server from the session, which has ended. */
    @Override
    public void close() {
        if (ownTasks != null) {
            ownTasks.closed();
        }
    }

    @Override
    public PreparedRequest prepare(JsonRpcRequest request, Exchange exchange) {
        if (request.method().equals(Methods.PING.name())) {
            return PreparedRequest.answered(RawJson.EMPTY_OBJECT); // in every phase
        }
        if (session.revision().isEmpty()) {
            throw JsonRpcException.invalidRequest("The session is not initialized yet");
        }
        if (!isServed(request.method())) {
            throw JsonRpcException.methodNotFound(request.method());
        }
        return this::handle;
    }

    /**
     * Whether a method is of the revision and of a capability that was declared, or the user's own.
     */
    private boolean isServed(String name) {
        Method<?, ?> method = session.face().method(name, Side.CLIENT).orElse(null);
        if (method == null) {
            return settings.onRequest.containsKey(name);
        }
        return questions.find(name).isPresent()
                || (name.startsWith("tasks/")
                        && declaredTasks != null
                        && TaskReceiver.serves(declaredTasks, name));
    }

    @Override
    public boolean isWaitedForWhileItAnswers() {
        return true;
    }

    @Override
    public boolean progressed(ProgressToken token, @Nullable JsonObject meta, Progress progress) {
        return tasks.progressed(token, meta, progress);
    }

    private RawJson handle(IncomingRequest request) throws Exception {
        Route<?, ?, ClientCall> route = methods.find(request.method());
        UserHandler<JsonObject, JsonObject> handler = settings.onRequest.get(request.method());
        if (route == null && handler != null) {
            route = new OwnRequestRoute(request.method(), handler);
        }
        if (route == null) {
            throw JsonRpcException.methodNotFound(request.method());
        }
        return route.answer(new ClientCall(session, request, ownTasks, owner), settings.inbound);
    }

    @Override
    public void received(JsonRpcNotification notification) {
        session.received(notification);
    }

    @Override
    public void handle(JsonRpcNotification notification, Exchange exchange) {
        // log messages may come before the handshake is over
        if (!session.takes(notification)) {
            return;
        }
        notices.handle(
                notification,
                session.revision().isPresent()
                        ? session.face()
                        : HandshakeFace.of(settings.newestWithHandshake()));
    }
}
