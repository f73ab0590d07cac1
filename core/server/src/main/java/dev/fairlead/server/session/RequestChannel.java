package dev.fairlead.server.session;

import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.peer.SessionTasks;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.RequestOrigin;
import dev.fairlead.protocol.SessionInfo;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.server.call.ClientChannel;
import dev.fairlead.server.call.ServerContext;
import dev.fairlead.tasks.receiver.TaskReceiver;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/** The connection to the client of a request without a session: there is only its exchange. */
record RequestChannel(ServerCore core, RequestOrigin origin, ClientCapabilities capabilities)
        implements ClientChannel {
    @Override
    public ServerContext server() {
        return core;
    }

    @Override
    public Optional<SessionInfo> info() {
        return Optional.empty();
    }

    @Override
    public String transport() {
        return origin.transport();
    }

    @Override
    public long node() {
        return origin.node();
    }

    @Override
    public Object key() {
        return origin.peerKey();
    }

    @Override
    public Object countedFor() {
        return origin.peerKey();
    }

    @Override
    public Owner owner(Caller caller) {
        return Owner.of(caller, origin.owner());
    }

    @Override
    public @Nullable SessionTasks tasks() {
        TaskReceiver receiver = core.tasks();
        return receiver == null ? null : new SessionTasks(receiver);
    }

    @Override
    public void notify(JsonRpcNotification notification) {
        throw new ConnectionException(
                "Without a session nothing can be sent outside the response of a request");
    }
}
