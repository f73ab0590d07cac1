package dev.fairlead.peer;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.engine.IncomingRequest;
import dev.fairlead.protocol.face.WireFace;

/** A request of the peer that is being answered, on either side. */
public interface IncomingCall {
    IncomingRequest request();

    /** Returns the wire face of the session. */
    WireFace face();

    /** Returns the context for interceptors, beside method and parameters. */
    CallContext context();

    /** Returns the owner whose tasks this call can access. */
    Owner owner();

    /**
     * Returns the tasks of its session.
     *
     * @throws JsonRpcException {@code -32601} if this side has none
     */
    SessionTasks tasks();

    /** Records the answer, when only sending it can still fail. */
    void answered(Outcome<?> outcome);

    /** Removes the timeout of this call, if this side has one. */
    default void withoutLimit() {}
}
