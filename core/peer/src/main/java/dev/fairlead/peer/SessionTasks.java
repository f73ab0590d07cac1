package dev.fairlead.peer;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.base.PaginatedRequest;
import dev.fairlead.protocol.engine.Cancellation;
import dev.fairlead.protocol.engine.IncomingRequest;
import dev.fairlead.protocol.tasks.CancelTaskRequest;
import dev.fairlead.protocol.tasks.CreateTaskResult;
import dev.fairlead.protocol.tasks.GetTaskPayloadRequest;
import dev.fairlead.protocol.tasks.GetTaskPayloadResult;
import dev.fairlead.protocol.tasks.GetTaskRequest;
import dev.fairlead.protocol.tasks.ListTasksResult;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.engine.TaskCarrier;
import dev.fairlead.tasks.engine.TaskEngine;
import dev.fairlead.tasks.receiver.ExtensionReceiver;
import dev.fairlead.tasks.receiver.PeerCarrier;
import dev.fairlead.tasks.receiver.RequestorSession;
import dev.fairlead.tasks.receiver.TaskReceiver;

import org.jspecify.annotations.Nullable;

/**
 * The methods of tasks for one session or for one request without a session, and the carrier on
 * which tasks reach their requestor. Fails as {@link TaskReceiver} does. Thread-safe.
 */
public final class SessionTasks {
    private final TaskReceiver receiver;
    private final @Nullable RequestorSession peer; // null: there is no session
    private volatile @Nullable PeerCarrier session; // null: only responses reach the requestor

    /**
     * @param lasts whether messages can be sent to the requestor outside its requests, now or later
     */
    public SessionTasks(TaskReceiver receiver, RequestorSession peer, boolean lasts) {
        this.receiver = receiver;
        this.peer = peer;
        this.session = lasts ? PeerCarrier.ofSession(peer) : null;
    }

    /** The tasks as a request without a session sees them. */
    public SessionTasks(TaskReceiver receiver) {
        this.receiver = receiver;
        this.peer = null;
        this.session = null;
    }

    /** Returns the receiver of the methods of the tasks extension. */
    public ExtensionReceiver extension() {
        return receiver.extension();
    }

    TaskEngine engine() {
        return receiver.engine();
    }

    /** Returns the carrier to the requestor outside its requests; null if there is none. */
    @Nullable TaskCarrier requestor() {
        return session;
    }

    CreateTaskResult created(StoredTask task, @Nullable String immediateResponse) {
        return receiver.created(task, immediateResponse);
    }

    /** {@code tasks/get}. */
    public Task get(Owner owner, GetTaskRequest params) {
        return receiver.get(owner, params, session);
    }

    /** {@code tasks/result}: blocks until the task has ended or the requestor has disconnected. */
    public GetTaskPayloadResult result(
            Owner owner, GetTaskPayloadRequest params, IncomingRequest request)
            throws InterruptedException {
        if (peer == null) {
            throw JsonRpcException.methodNotFound(request.method());
        }
        Exchange exchange = request.exchange();
        Cancellation left =
                new Cancellation(Cancellation.Cause.CLOSED, "the requestor has disconnected");
        exchange.onGone(() -> request.cancel(left));
        return receiver.result(owner, params, PeerCarrier.ofResult(peer, exchange));
    }

    /** {@code tasks/list}. */
    public ListTasksResult list(Owner owner, PaginatedRequest params) {
        return receiver.list(owner, params);
    }

    /** {@code tasks/cancel}. */
    public Task cancel(Owner owner, CancelTaskRequest params) {
        return receiver.cancel(owner, params);
    }

    /** Delivers the waiting messages, since the requestor is reachable again. */
    public void reachable() {
        PeerCarrier way = session;
        if (way != null) {
            receiver.engine().reachable(way);
        }
    }

    /** Detaches tasks from the session, which has ended. */
    public void closed() {
        PeerCarrier way = session;
        session = null;
        if (way != null) {
            receiver.engine().closed(way);
        }
    }
}
