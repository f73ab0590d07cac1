package dev.fairlead.server;

import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.LoggingLevel;
import dev.fairlead.protocol.LoggingMessageNotification;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.Progress;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.tasks.engine.TaskContext;
import dev.fairlead.tasks.receiver.PeerCarrier;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a task tells its requestor while it runs: on one way, the best there is at the time
 * (TASK-063). The lock makes sure that nothing is told once the handler has ended.
 */
final class TaskTelling {
    private final TaskContext context;
    private final WireFace face;
    private final Throttle throttle;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean ended;

    TaskTelling(ServerCore core, TaskContext context, WireFace face) {
        this.context = context;
        this.face = face;
        int rate = core.settings().tellsPerSecond();
        this.throttle = new Throttle(rate, rate, core.timers()::nanoTime);
    }

    /** From here on nothing is told. */
    void end() {
        lock.lock();
        try {
            ended = true;
        } finally {
            lock.unlock();
        }
    }

    /** The session that can be reached now. */
    Optional<ServerSession> session() {
        return context.carrier() instanceof PeerCarrier way
                        && way.peer() instanceof RequestingClient client
                        && !client.session().isStateless()
                ? Optional.of(client.session())
                : Optional.empty();
    }

    void progress(Progress progress) {
        boolean complete = progress.total() != null && progress.progress() >= progress.total();
        lock.lock();
        try {
            if (mayTell(complete)) {
                context.progress(progress);
            }
        } finally {
            lock.unlock();
        }
    }

    void log(LoggingLevel level, @Nullable String logger, JsonValue data) {
        if (!(context.carrier() instanceof PeerCarrier way
                && way.peer() instanceof RequestingClient client
                && client.session().announcements().wantsLog(level))) {
            return;
        }
        LoggingMessageNotification message =
                new LoggingMessageNotification(level, data).withLogger(logger);
        lock.lock();
        try {
            if (mayTell(level.isAtLeast(LoggingLevel.ERROR))) {
                way.tell(
                        context.task(),
                        new JsonRpcNotification(
                                Notifications.LOGGING_MESSAGE.name(),
                                face.writeNotification(Notifications.LOGGING_MESSAGE, message)));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether the handler still runs and the limit is not exceeded; what matters passes it. */
    private boolean mayTell(boolean matters) {
        return !ended && (throttle.pass() || matters);
    }

    /** Tells anything else, if somebody can hear it. */
    void tell(JsonRpcNotification notification) {
        lock.lock();
        try {
            if (!ended && context.carrier() instanceof PeerCarrier way) {
                way.tell(context.task(), notification);
            }
        } finally {
            lock.unlock();
        }
    }
}
