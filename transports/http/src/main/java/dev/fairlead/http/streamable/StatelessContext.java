package dev.fairlead.http.streamable;

import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionContext;

import java.util.Optional;

/**
 * The way back to a client without a session: there is none but the answer.
 *
 * @param owner whose that is which the request makes if its caller is anonymous
 * @param peerKey the key of limits: the address of an anonymous client
 */
record StatelessContext(Caller caller, Owner owner, Object peerKey, Revision revision)
        implements SessionContext {
    @Override
    public void send(JsonRpcMessage message) {
        throw new ConnectionException(
                "Without a session nothing can be sent but the answer to a request");
    }

    @Override
    public String transport() {
        return "http";
    }

    @Override
    public Optional<Revision> assumedRevision() {
        return Optional.of(revision);
    }

    @Override
    public void close() {}
}
