package dev.fairlead.server.requests;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.peer.PeerTasks;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.Side;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.engine.Connection;
import dev.fairlead.protocol.engine.OutgoingRequest;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.tasks.CancelTaskRequest;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.requestor.RemoteTask;
import dev.fairlead.tasks.requestor.RemoteTasks;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/**
 * The questions of this server that its client runs as tasks. Everything about such a task goes the
 * way of the call that asks, which over HTTP may be the only one. Thread-safe.
 */
public final class ClientTasks {
    private static final System.Logger LOGGER = System.getLogger(ClientTasks.class.getName());
    private static final Duration FOREVER = Duration.ofDays(36_500);

    /** How long a call may be held up by the cancellation of the task that it waited for. */
    public static final Duration HANDING_OUT = Duration.ofSeconds(1);

    /**
     * Polls {@code tasks/get} until the task has ended: a person takes too long for a request that
     * stays open at a client.
     */
    private static final RemoteTask.Listener POLLING =
            new RemoteTask.Listener() {
                @Override
                public boolean wantsEveryChange() {
                    return true;
                }
            };

    private final Connection connection;
    private final Duration requestTimeout;
    private final Timers timers;
    private final List<RemoteTasks> active = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    /**
     * @param requestTimeout of each request about a task
     */
    public ClientTasks(Connection connection, Duration requestTimeout, Timers timers) {
        this.connection = connection;
        this.requestTimeout = requestTimeout;
        this.timers = timers;
    }

    /** Sends a request that asks for a task, and waits for the outcome. */
    public RawJson request(OutgoingRequest question, WireFace face) throws InterruptedException {
        Method<?, ?> method = face.method(question.method(), Side.CLIENT).orElseThrow();
        Way way = new Way(face, question.exchange());
        RemoteTasks tasks = new RemoteTasks(way, timers);
        active.add(tasks);
        try (tasks) {
            RemoteTask task =
                    tasks.create(
                            token -> PeerTasks.create(connection, face, method, question, token),
                            question.timeout());
            task.listen(POLLING);
            try {
                return PeerTasks.await(task, question.maximum(), question.listener());
            } catch (InterruptedException | RequestTimeoutException e) {
                way.awaitCancellation(); // the way ends with the call that asks
                throw e;
            }
        } catch (JsonRpcException e) { // of tasks/result, or since the client has lost the task
            throw e.answering(method.name());
        } finally {
            active.remove(tasks);
        }
    }

    /** Takes {@code notifications/tasks/status}. */
    public void status(WireFace face, @Nullable RawJson params) {
        if (!active.isEmpty()) {
            face.readNotification(Notifications.TASK_STATUS, params)
                    .ifPresent(task -> active.forEach(tasks -> tasks.status(task)));
        }
    }

    /** Takes progress; false if it belongs to no task here. */
    public boolean progressed(ProgressToken token, @Nullable JsonObject meta, Progress progress) {
        return active.stream().anyMatch(tasks -> tasks.progressed(token, meta, progress));
    }

    public void close() {
        closed = true;
        active.forEach(RemoteTasks::close);
    }

    /** The way to the client of one call. */
    private final class Way implements PeerTasks {
        private final WireFace face;
        private final @Nullable Exchange exchange;
        private final CountDownLatch cancelled = new CountDownLatch(1); // or could not be

        private Way(WireFace face, @Nullable Exchange exchange) {
            this.face = face;
            this.exchange = exchange;
        }

        @Override
        public <P extends RequestParams, R extends Result> R send(
                Method<P, R> method, P params, @Nullable Duration patience)
                throws InterruptedException {
            return send(method, params, patience, exchange);
        }

        /** Sends outside the call that asked if that has ended. */
        @Override
        public Task cancel(TaskId id) throws InterruptedException {
            try {
                return cancel(new CancelTaskRequest(id));
            } finally {
                cancelled.countDown();
            }
        }

        private Task cancel(CancelTaskRequest request) throws InterruptedException {
            if (exchange != null) {
                try {
                    Exchange sent = new ObservedExchange(exchange, cancelled::countDown);
                    return send(Methods.CANCEL_TASK, request, null, sent);
                } catch (ConnectionException e) {
                    LOGGER.log(Level.DEBUG, "The call has ended before its task was cancelled");
                }
            }
            return send(Methods.CANCEL_TASK, request, null, null);
        }

        /** Waits a little until the cancellation is sent, or could not be sent. */
        void awaitCancellation() throws InterruptedException {
            Timers.Timer timer = timers.schedule(HANDING_OUT, cancelled::countDown);
            try {
                cancelled.await();
            } finally {
                timer.cancel();
            }
        }

        @Override
        public boolean isLost() {
            return closed;
        }

        private <P extends RequestParams, R extends Result> R send(
                Method<P, R> method, P params, @Nullable Duration patience, @Nullable Exchange via)
                throws InterruptedException {
            Duration timeout = patience == null ? requestTimeout : patience;
            return face.readResult(
                    method,
                    connection.request(
                            new OutgoingRequest(
                                    method.name(),
                                    token -> face.writeParams(method, params, token),
                                    timeout,
                                    patience == null ? timeout : FOREVER,
                                    null,
                                    via)));
        }
    }
}
