package dev.fairlead.peer;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.engine.Connection;
import dev.fairlead.protocol.engine.OutgoingRequest;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.tasks.CancelTaskRequest;
import dev.fairlead.protocol.tasks.GetTaskPayloadRequest;
import dev.fairlead.protocol.tasks.GetTaskRequest;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.requestor.RemoteTask;
import dev.fairlead.tasks.requestor.TaskPeer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * The requests of this side about tasks that the peer runs for it. Thread-safe.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks Tasks
 */
public interface PeerTasks extends TaskPeer {
    /**
     * Sends a request to the peer and waits for its result.
     *
     * @param patience how long to wait without progress, however long that is in all; null for the
     *     usual timeout
     */
    <P extends RequestParams, R extends Result> R send(
            Method<P, R> method, P params, @Nullable Duration patience) throws InterruptedException;

    @Override
    default Task get(TaskId id) throws InterruptedException {
        return send(Methods.GET_TASK, new GetTaskRequest(id), null);
    }

    @Override
    default RawJson result(TaskId id, @Nullable Duration patience) throws InterruptedException {
        return send(Methods.GET_TASK_PAYLOAD, new GetTaskPayloadRequest(id), patience).toRawJson();
    }

    @Override
    default Task cancel(TaskId id) throws InterruptedException {
        return send(Methods.CANCEL_TASK, new CancelTaskRequest(id), null);
    }

    /**
     * Sends a request that asks for a task, and is never cancelled itself.
     *
     * @param token receives the progress token before the request is sent, if the request has a
     *     listener
     * @return the task, or the ordinary result as it came
     */
    static Outcome<RawJson> create(
            Connection connection,
            WireFace face,
            Method<?, ?> method,
            OutgoingRequest request,
            Consumer<ProgressToken> token)
            throws InterruptedException {
        OutgoingRequest creating =
                new OutgoingRequest(
                        request.method(),
                        given -> {
                            if (given != null) {
                                token.accept(given);
                            }
                            return request.params().with(given);
                        },
                        request.timeout(),
                        request.maximum(),
                        request.listener(),
                        request.exchange(),
                        false,
                        request.headers());
        RawJson answer = connection.request(creating);
        return face.readOutcome(method, answer) instanceof Outcome.TaskCreated<?> created
                ? new Outcome.TaskCreated<>(created.task())
                : Outcome.complete(answer);
    }

    /**
     * Waits for the outcome of a task that only this caller uses: if it stops waiting, the task is
     * cancelled.
     */
    static RawJson await(RemoteTask task, Duration limit, @Nullable ProgressListener listener)
            throws InterruptedException {
        try {
            return task.await(limit, listener);
        } catch (InterruptedException | RequestTimeoutException e) {
            task.abandon();
            throw e;
        }
    }
}
