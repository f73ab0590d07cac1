package dev.fairlead.server.tasks;

import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.server.call.ClientChannel;
import dev.fairlead.server.call.SessionView;
import dev.fairlead.server.handler.ClientSession;
import dev.fairlead.server.notifications.HandlerNotifier;
import dev.fairlead.tasks.engine.TaskContext;
import dev.fairlead.tasks.receiver.PeerCarrier;

import java.util.Optional;

/**
 * Sends the notifications of a task to its requestor, on the best carrier that is open at the time.
 */
record TaskWay(TaskContext context) implements HandlerNotifier.Way {
    /** Returns true also while the requestor is unreachable: progress of a task is stored. */
    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean wantsLog(LoggingLevel level) {
        return requestor().filter(client -> client.announcements().wantsLog(level)).isPresent();
    }

    /** Returns the channel to the requestor; empty if it is unreachable. */
    private Optional<ClientChannel> requestor() {
        return context.carrier() instanceof PeerCarrier way
                        && way.peer() instanceof RequestingClient client
                ? Optional.of(client.channel())
                : Optional.empty();
    }

    /** Returns the session with the requestor; empty if it is unreachable or has none. */
    Optional<ClientSession> session(WireFace face) {
        return requestor().flatMap(channel -> SessionView.of(channel, face));
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
            way.notify(context.task(), notification);
        }
    }
}
