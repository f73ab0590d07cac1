package dev.fairlead.server;

import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.LoggingLevel;
import dev.fairlead.protocol.Progress;
import dev.fairlead.tasks.engine.TaskContext;
import dev.fairlead.tasks.receiver.PeerCarrier;

import java.util.Optional;

/**
 * The way on which the handler of a task tells its requestor: the best that there is at the time
 * (TASK-063).
 */
record TaskWay(TaskContext context) implements HandlerNotifier.Way {
    /** Open also where nobody is reached now: the progress of a task is kept. */
    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean wantsLog(LoggingLevel level) {
        return requestor().filter(session -> session.announcements().wantsLog(level)).isPresent();
    }

    /** The session with the requestor, with or without state; empty where none is reached. */
    private Optional<ServerSession> requestor() {
        return context.carrier() instanceof PeerCarrier way
                        && way.peer() instanceof RequestingClient client
                ? Optional.of(client.session())
                : Optional.empty();
    }

    /** The session that lasts and can be reached now. */
    Optional<ServerSession> session() {
        return requestor().filter(session -> !session.isStateless());
    }

    @Override
    public void progress(Progress progress) {
        context.progress(progress);
    }

    @Override
    public void log(JsonRpcNotification message) {
        notify(message);
    }

    @Override
    public void notify(JsonRpcNotification notification) {
        if (context.carrier() instanceof PeerCarrier way) {
            way.tell(context.task(), notification);
        }
    }
}
