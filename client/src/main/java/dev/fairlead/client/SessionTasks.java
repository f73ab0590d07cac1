package dev.fairlead.client;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.CancelTaskRequest;
import dev.fairlead.protocol.CreateTaskResult;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.GetTaskPayloadRequest;
import dev.fairlead.protocol.GetTaskPayloadResult;
import dev.fairlead.protocol.GetTaskRequest;
import dev.fairlead.protocol.ListTasksRequest;
import dev.fairlead.protocol.ListTasksResult;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.ProgressToken;
import dev.fairlead.protocol.Task;
import dev.fairlead.protocol.TaskAugmentedRequest;
import dev.fairlead.protocol.TaskMetadata;
import dev.fairlead.protocol.engine.Cancellation;
import dev.fairlead.protocol.engine.IncomingRequest;
import dev.fairlead.protocol.engine.OutgoingRequest;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.engine.TaskRequest;
import dev.fairlead.tasks.receiver.CreatedTasks;
import dev.fairlead.tasks.receiver.PeerCarrier;
import dev.fairlead.tasks.receiver.RequestorSession;
import dev.fairlead.tasks.receiver.TaskReceiver;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Objects;

/** The client's own tasks as one session asks for them, and the way to that session. */
final class SessionTasks implements RequestorSession {
    private final OwnTasks tasks;
    private final ServerSession session;
    private final PeerCarrier carrier = PeerCarrier.ofSession(this);

    SessionTasks(OwnTasks tasks, ServerSession session) {
        this.tasks = tasks;
        this.session = session;
        session.atEnd(() -> tasks.engine().closed(carrier));
    }

    // ---- what is served

    /** Whether a method is one of tasks that were declared (TASK-007, TASK-008). */
    boolean serves(String method) {
        return method.startsWith("tasks/") && TaskReceiver.serves(tasks.declared(), method);
    }

    /** Whether requests of a method may be run as tasks (TASK-004). */
    boolean takes(Method<?, ?> method) {
        return tasks.declared().takes(method.name());
    }

    /** The tasks that one request creates; none yet. */
    CreatedTasks created() {
        return new CreatedTasks(tasks.engine());
    }

    /**
     * Stores a task, which begins once the server knows of it (ROOM-030).
     *
     * @param asked asks for a task, and was found to be without fault (TASK-026)
     */
    <P extends TaskAugmentedRequest> CreateTaskResult create(
            CreatedTasks created, Method<P, ?> method, P asked, @Nullable ProgressToken token) {
        TaskMetadata wanted = asked.task();
        Long ttl = wanted == null ? null : wanted.ttl();
        RawJson params = Objects.requireNonNull(face().writeParams(method, asked, null));
        QuestionOrigin origin = new QuestionOrigin(params, session.server().serverInfo());
        StoredTask task =
                created.create(
                        tasks.owner(),
                        new TaskRequest(
                                method.name(),
                                "",
                                origin.write(),
                                token,
                                ttl == null ? null : Duration.ofMillis(ttl),
                                tasks.rerun()));
        return tasks.receiver().created(task, null);
    }

    /** Begins the task that the server was answered with (ROOM-013). */
    void begin(CreatedTasks created, IncomingRequest request) {
        boolean cancelled =
                request.cancellation()
                        .filter(why -> why.cause() == Cancellation.Cause.PEER)
                        .isPresent();
        created.begin(!cancelled, carrier);
    }

    Task get(GetTaskRequest request) {
        return tasks.receiver().get(tasks.owner(), request, carrier);
    }

    GetTaskPayloadResult result(GetTaskPayloadRequest request, IncomingRequest incoming)
            throws InterruptedException {
        Exchange exchange = incoming.exchange();
        return tasks.receiver()
                .result(tasks.owner(), request, PeerCarrier.ofResult(this, exchange));
    }

    ListTasksResult list(ListTasksRequest request) {
        return tasks.receiver().list(tasks.owner(), request);
    }

    Task cancel(CancelTaskRequest request) {
        return tasks.receiver().cancel(tasks.owner(), request);
    }

    // ---- the way to the server

    @Override
    public WireFace face() {
        return session.face();
    }

    @Override
    public Duration pollInterval() {
        return tasks.engine().limits().pollInterval();
    }

    @Override
    public boolean isReachable() {
        return !session.hasEnded();
    }

    /** Handlers of a client ask their server nothing. */
    @Override
    public RawJson request(OutgoingRequest request) {
        throw new UnsupportedOperationException(request.method());
    }

    @Override
    public void notify(JsonRpcNotification notification) {
        session.tell(notification);
    }
}
