package dev.fairlead.http;

import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionContext;

import java.util.Optional;

/** The way back to a client without a session: there is none but the answer. */
record StatelessContext(Caller caller, Revision revision) implements SessionContext {
    @Override
    public void send(JsonRpcMessage message) {
        throw new ConnectionException("Without a session nothing can be sent but the response");
    }

    /** {@inheritDoc} One for all: nothing tells them apart. */
    @Override
    public Owner owner() {
        return new Owner.Anonymous("");
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
