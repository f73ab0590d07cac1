package dev.fairlead.server.tasks;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.peer.PeerSession;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.engine.OutgoingRequest;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.server.call.SessionChannel;
import dev.fairlead.server.lifecycle.NegotiatedSession;
import dev.fairlead.server.requests.ClientTasks;
import dev.fairlead.server.requests.QuestionProgress;
import dev.fairlead.tasks.engine.TaskCarrier;
import dev.fairlead.tasks.receiver.RequestorSession;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** The client of one session as the requestor of tasks. Thread-safe. */
public final class RequestingClient implements RequestorSession {
    private final SessionChannel channel;
    private final PeerSession<NegotiatedSession> peer;
    private final ClientTasks clientTasks;
    private final SessionContext context;
    private final QuestionProgress progress;
    private final Duration pollInterval;

    public RequestingClient(
            SessionChannel channel,
            PeerSession<NegotiatedSession> peer,
            ClientTasks clientTasks,
            SessionContext context,
            QuestionProgress progress,
            Duration pollInterval) {
        this.channel = channel;
        this.peer = peer;
        this.clientTasks = clientTasks;
        this.context = context;
        this.progress = progress;
        this.pollInterval = pollInterval;
    }

    SessionChannel channel() {
        return channel;
    }

    @Override
    public WireFace face() {
        return peer.negotiated().orElseThrow().face();
    }

    @Override
    public Duration pollInterval() {
        return pollInterval;
    }

    @Override
    public boolean isReachable() {
        return peer.isReady() && context.isReachable();
    }

    @Override
    public void checkReachable() {
        context.checkReachable();
    }

    @Override
    public RawJson request(OutgoingRequest request) throws InterruptedException {
        peer.awaitReady(request.timeout());
        return peer.connection().request(request);
    }

    @Override
    public TaskCarrier.@Nullable Prepared prepare() {
        String name = context.sharedName().orElse(null);
        if (name == null) {
            return null;
        }
        RequestId id = peer.connection().reserve();
        return new TaskCarrier.Prepared(nameOf(name, id), id);
    }

    /** Returns the name of a request in a session for all processes that can continue it. */
    public static String nameOf(String session, RequestId id) {
        return session + ' ' + id.asInteger().orElse(id);
    }

    @Override
    public RawJson request(RequestId id, OutgoingRequest request) throws InterruptedException {
        peer.awaitReady(request.timeout());
        return peer.connection().request(id, request);
    }

    @Override
    public RawJson requestTask(OutgoingRequest request) throws InterruptedException {
        peer.awaitReady(request.timeout());
        return clientTasks.request(request, face());
    }

    @Override
    public void notify(JsonRpcNotification notification) {
        peer.connection().notify(notification);
    }

    @Override
    public @Nullable ProgressListener progressListener(TaskId task) {
        return progress.of(task);
    }
}
