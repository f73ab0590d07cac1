package dev.fairlead.server;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.CallToolRequest;
import dev.fairlead.protocol.CancelTaskRequest;
import dev.fairlead.protocol.CreateTaskResult;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.GetTaskPayloadRequest;
import dev.fairlead.protocol.GetTaskPayloadResult;
import dev.fairlead.protocol.GetTaskRequest;
import dev.fairlead.protocol.ListTasksRequest;
import dev.fairlead.protocol.ListTasksResult;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.ProgressListener;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.Task;
import dev.fairlead.protocol.TaskId;
import dev.fairlead.protocol.engine.Cancellation;
import dev.fairlead.protocol.engine.OutgoingRequest;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.receiver.CreatedTasks;
import dev.fairlead.tasks.receiver.PeerCarrier;
import dev.fairlead.tasks.receiver.RequestorSession;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** The tasks of one session: whose they are, and the way to their requestor. Thread-safe. */
final class SessionTasks implements RequestorSession {
    private final OwnTasks tasks;
    private final ServerSession session;
    private final SessionContext context;
    private volatile @Nullable PeerCarrier carrier; // null: nothing can be sent to it later

    SessionTasks(OwnTasks tasks, ServerSession session, SessionContext context) {
        this.tasks = tasks;
        this.session = session;
        this.context = context;
        this.carrier = session.isStateless() ? null : PeerCarrier.ofSession(this);
    }

    ServerSession session() {
        return session;
    }

    private Owner owner(ServerCall call) {
        return Owner.of(call.caller(), context.owner());
    }

    // ---- methods

    /** Stores a task, which begins once its requestor knows of it (ROOM-030). */
    CreateTaskResult create(ServerTool tool, CallToolRequest request, ServerCall call) {
        CreatedTasks created = call.createdTasks();
        if (created == null) {
            CreatedTasks first = new CreatedTasks(tasks.engine());
            call.setCreatedTasks(first);
            call.request().afterAnswer(() -> first.begin(call.isWanted(), carrier));
            created = first;
        }
        StoredTask task = created.create(owner(call), ToolWork.request(tool, request, call));
        return tasks.receiver().created(task, tool.task().immediateResponse());
    }

    Task get(GetTaskRequest request, ServerCall call) {
        return tasks.receiver().get(owner(call), request, carrier);
    }

    /** Waits as long as the task runs, and no longer than the client does. */
    GetTaskPayloadResult result(GetTaskPayloadRequest request, ServerCall call)
            throws InterruptedException {
        call.withoutLimit();
        Exchange exchange = call.request().exchange();
        Cancellation left = new Cancellation(Cancellation.Cause.CLOSED, "the requestor has left");
        exchange.onGone(() -> call.request().cancel(left));
        return tasks.receiver().result(owner(call), request, PeerCarrier.ofResult(this, exchange));
    }

    ListTasksResult list(ListTasksRequest request, ServerCall call) {
        return tasks.receiver().list(owner(call), request);
    }

    Task cancel(CancelTaskRequest request, ServerCall call) {
        return tasks.receiver().cancel(owner(call), request);
    }

    // ---- the way to the client

    /** The client can be reached, perhaps again. */
    void reachable() {
        PeerCarrier way = carrier;
        if (way != null) {
            tasks.engine().reachable(way);
        }
    }

    void closed() {
        PeerCarrier way = carrier;
        carrier = null;
        if (way != null) {
            tasks.engine().closed(way);
        }
    }

    @Override
    public WireFace face() {
        return session.handshake().agreement().orElseThrow().face();
    }

    @Override
    public Duration pollInterval() {
        return tasks.engine().limits().pollInterval();
    }

    @Override
    public boolean isReachable() {
        return session.handshake().isReady() && context.isReachable();
    }

    @Override
    public void checkReachable() {
        context.checkReachable();
    }

    @Override
    public RawJson request(OutgoingRequest request) throws InterruptedException {
        session.handshake().awaitReady(request.timeout());
        return session.connection().request(request);
    }

    @Override
    public RawJson requestTask(OutgoingRequest request) throws InterruptedException {
        session.handshake().awaitReady(request.timeout());
        return session.clientTasks().ask(request, face());
    }

    @Override
    public void notify(JsonRpcNotification notification) {
        session.connection().notify(notification);
    }

    @Override
    public @Nullable ProgressListener progressListener(TaskId task) {
        return tasks.progress().of(task);
    }
}
