package dev.fairlead.server;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.ProgressListener;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.TaskId;
import dev.fairlead.protocol.engine.OutgoingRequest;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.tasks.receiver.RequestorSession;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** The client of one session as the requestor of tasks. Thread-safe. */
final class RequestingClient implements RequestorSession {
    private final ServerSession session;
    private final SessionContext context;
    private final QuestionProgress progress;
    private final Duration pollInterval;

    RequestingClient(
            ServerSession session,
            SessionContext context,
            QuestionProgress progress,
            Duration pollInterval) {
        this.session = session;
        this.context = context;
        this.progress = progress;
        this.pollInterval = pollInterval;
    }

    ServerSession session() {
        return session;
    }

    @Override
    public WireFace face() {
        return session.peer().negotiated().orElseThrow().face();
    }

    @Override
    public Duration pollInterval() {
        return pollInterval;
    }

    @Override
    public boolean isReachable() {
        return session.peer().isReady() && context.isReachable();
    }

    @Override
    public void checkReachable() {
        context.checkReachable();
    }

    @Override
    public RawJson request(OutgoingRequest request) throws InterruptedException {
        session.peer().awaitReady(request.timeout());
        return session.connection().request(request);
    }

    @Override
    public RawJson requestTask(OutgoingRequest request) throws InterruptedException {
        session.peer().awaitReady(request.timeout());
        return session.clientTasks().request(request, face());
    }

    @Override
    public void notify(JsonRpcNotification notification) {
        session.connection().notify(notification);
    }

    @Override
    public @Nullable ProgressListener progressListener(TaskId task) {
        return progress.of(task);
    }
}
