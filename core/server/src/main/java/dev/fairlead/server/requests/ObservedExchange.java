package dev.fairlead.server.requests;

import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.RequestRefusedException;

/**
 * An exchange that runs an action after each message that was sent on it.
 *
 * @param onSent runs on the thread that sent the message
 */
record ObservedExchange(Exchange delegate, Runnable onSent) implements Exchange {
    @Override
    public void send(JsonRpcMessage message) {
        delegate.send(message);
        onSent.run();
    }

    @Override
    public void refuse(JsonRpcErrorResponse response, RequestRefusedException.Kind kind) {
        delegate.refuse(response, kind);
    }

    @Override
    public void abandon(RequestId request) {
        delegate.abandon(request);
    }

    @Override
    public Caller caller() {
        return delegate.caller();
    }
}
