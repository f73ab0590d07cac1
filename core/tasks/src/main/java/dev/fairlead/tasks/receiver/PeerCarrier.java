package dev.fairlead.tasks.receiver;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.base.MetaKey;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.base.ProgressNotification;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.engine.OutgoingRequest;
import dev.fairlead.protocol.face.NeutralForm;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.tasks.RelatedTask;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskCancelledException;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.engine.TaskCarrier;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * A connection to the peer that asked for a task: its session, or the exchange of a waiting {@code
 * tasks/result}. All its messages except status notifications have the related-task metadata.
 */
public final class PeerCarrier implements TaskCarrier {
    private static final System.Logger LOGGER = System.getLogger(PeerCarrier.class.getName());

    private final RequestorSession peer;
    private final @Nullable Exchange exchange;

    private PeerCarrier(RequestorSession peer, @Nullable Exchange exchange) {
        this.peer = peer;
        this.exchange = exchange;
    }

    /** Returns a carrier on the session itself, outside of requests. */
    public static PeerCarrier ofSession(RequestorSession peer) {
        return new PeerCarrier(peer, null);
    }

    /** Returns a carrier on the exchange of a {@code tasks/result}, as long as that waits. */
    public static PeerCarrier ofResult(RequestorSession peer, Exchange exchange) {
        return new PeerCarrier(peer, exchange);
    }

    /** Returns the peer at the other end. */
    public RequestorSession peer() {
        return peer;
    }

    @Override
    public boolean isOpen() {
        return exchange == null ? peer.isReachable() : exchange.isStreaming() && exchange.isOpen();
    }

    @Override
    public boolean isConnected() {
        return exchange == null
                ? peer.isReachable()
                : exchange.isStreaming() && exchange.isConnected();
    }

    @Override
    public void checkConnected() {
        if (exchange == null) {
            peer.checkReachable();
        } else {
            exchange.checkConnected();
        }
    }

    @Override
    public boolean isResultStream() {
        return exchange != null;
    }

    /**
     * A question that the requestor is to run as a task has two answers, of which one is stored.
     */
    @Override
    public @Nullable Prepared prepare(RawJson params) {
        return params.member("task") == null ? peer.prepare() : null;
    }

    @Override
    public TaskOutcome ask(StoredTask task, String method, RawJson params)
            throws InterruptedException {
        return ask(task, method, params, null);
    }

    @Override
    public TaskOutcome ask(
            StoredTask task, String method, RawJson params, @Nullable Prepared prepared)
            throws InterruptedException {
        Duration limit = task.ttl(); // it is withdrawn before, when the task ends or expires
        JsonObject related = related(NeutralForm.paramsTo(peer.face(), method, params), task.id());
        OutgoingRequest question =
                new OutgoingRequest(
                        method,
                        token -> RawJson.of(withToken(related, token)),
                        limit,
                        limit,
                        peer.progressListener(task.id()),
                        exchange);
        try {
            RawJson result;
            if (related.get("task") instanceof JsonObject) {
                result = peer.requestTask(question);
            } else if (prepared == null) {
                result = peer.request(question);
            } else {
                result = peer.request(prepared.id(), question);
            }
            return answer(peer.face(), method, result);
        } catch (JsonRpcException e) {
            if (RetryableError.isRetryable(e.error())) { // such as from a client that is leaving
                throw new ConnectionException("the peer did not take the question", e);
            }
            return new TaskOutcome.Error(e.error());
        } catch (TaskCancelledException | InvalidResultException e) { // also an answer
            return failed(e);
        }
    }

    /** Returns the answer of a requestor in neutral form. */
    static TaskOutcome answer(WireFace face, String method, RawJson result) {
        try {
            return new TaskOutcome.Result(NeutralForm.resultFrom(face, method, result), false);
        } catch (InvalidResultException e) { // also an answer
            return failed(e);
        }
    }

    private static TaskOutcome failed(CallException e) {
        return new TaskOutcome.Error(new JsonRpcError(ErrorCode.INTERNAL_ERROR, e.getMessage()));
    }

    @Override
    public RawJson write(StoredTask task, RawJson result) {
        return NeutralForm.resultTo(peer.face(), task.method(), result);
    }

    private static JsonObject withToken(JsonObject params, @Nullable ProgressToken token) {
        return token == null
                ? params
                : params.with(
                        "_meta",
                        params.object("_meta").with(MetaKey.PROGRESS_TOKEN, token.value()));
    }

    private static JsonObject related(@Nullable RawJson params, TaskId task) {
        JsonObject object =
                params != null && params.value() instanceof JsonObject known
                        ? known
                        : JsonObject.EMPTY;
        JsonObject meta = object.get("_meta") instanceof JsonObject known ? known : null;
        return object.with("_meta", RelatedTask.add(meta, task));
    }

    @Override
    public void progressed(StoredTask task, Progress progress) {
        ProgressToken token = task.progressToken();
        if (token != null) {
            notify(
                    task,
                    peer.face()
                            .notification(
                                    Notifications.PROGRESS,
                                    ProgressNotification.of(token, progress)));
        }
    }

    @Override
    public void changed(StoredTask task) {
        if (task.state() == TaskState.EXPIRED || !peer.face().has(Notifications.TASK_STATUS)) {
            return; // there is no status for an expired task
        }
        send(
                peer.face()
                        .notification(
                                Notifications.TASK_STATUS,
                                TaskReceiver.task(task, peer.pollInterval())));
    }

    /** Sends a notification that names a task. Never fails. */
    public void notify(StoredTask task, JsonRpcNotification notification) {
        send(
                new JsonRpcNotification(
                        notification.method(),
                        RawJson.of(related(notification.params(), task.id()))));
    }

    private void send(JsonRpcNotification notification) {
        if (!isOpen()) {
            return;
        }
        try {
            if (exchange == null) {
                peer.notify(notification);
            } else {
                exchange.send(notification);
            }
        } catch (ConnectionException e) {
            LOGGER.log(
                    Level.DEBUG,
                    "{0} was not delivered: {1}",
                    notification.method(),
                    e.getMessage());
        }
    }
}
