package dev.fairlead.tasks.receiver;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.engine.OutgoingRequest;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.engine.TaskCarrier;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * The session with the peer that asked for a task, as {@link PeerCarrier} needs it. Thread-safe.
 */
public interface RequestorSession {
    /** Returns the wire face of the revision of the session. */
    WireFace face();

    /** Returns the poll interval that is sent to the peer. */
    Duration pollInterval();

    /** Returns whether a message outside of requests reaches the peer now. */
    boolean isReachable();

    /**
     * Checks that the peer can be reached, see {@link
     * dev.fairlead.protocol.SessionContext#checkReachable}.
     */
    default void checkReachable() {}

    /** Sends a request, see {@link dev.fairlead.protocol.engine.Connection#request}. */
    RawJson request(OutgoingRequest request) throws InterruptedException;

    /**
     * Reserves the id of a request, with a name that other processes can form which may receive its
     * answer; null if there are none.
     */
    default TaskCarrier.@Nullable Prepared prepare() {
        return null;
    }

    /** Sends a request with an id that was {@linkplain #prepare reserved}. */
    default RawJson request(RequestId id, OutgoingRequest request) throws InterruptedException {
        return request(request);
    }

    /** Sends a request that the peer is to run as a task, and returns the outcome of the task. */
    default RawJson requestTask(OutgoingRequest request) throws InterruptedException {
        return request(request);
    }

    /** Sends a notification, see {@link dev.fairlead.protocol.engine.Connection#notify}. */
    void notify(JsonRpcNotification notification);

    /** Returns the listener for the progress of a question of a task; null for none. */
    default @Nullable ProgressListener progressListener(TaskId task) {
        return null;
    }
}
