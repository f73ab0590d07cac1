package dev.fairlead.peer;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.engine.IncomingRequest;
import dev.fairlead.protocol.face.WireFace;

/** A request of the peer while it is answered, as both sides know it. */
public interface IncomingCall {
    IncomingRequest request();

    /** How the session reads and writes. */
    WireFace face();

    /** What interceptors see of it beside its method and parameters. */
    CallContext context();

    /** Whose tasks it can see. */
    Owner owner();

    /**
     * The tasks of its session.
     *
     * @throws JsonRpcException {@code -32601} where this side has none
     */
    SessionTasks tasks();

    /** Lets it take as long as it likes, on sides that limit the time of a request. */
    default void withoutLimit() {}
}
