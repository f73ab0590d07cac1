package dev.fairlead.server.requests;

import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.RequestRefusedException;

/**
 * The way of a request, and somebody who hears when a message has gone it.
 *
 * @param onSent runs after each message
 */
record HeardExchange(Exchange way, Runnable onSent) implements Exchange {
    @Override
    public void send(JsonRpcMessage message) {
        way.send(message);
        onSent.run();
    }

    @Override
    public void refuse(JsonRpcErrorResponse response, RequestRefusedException.Kind kind) {
        way.refuse(response, kind);
    }

    @Override
    public void abandon(RequestId request) {
        way.abandon(request);
    }

    @Override
    public Caller caller() {
        return way.caller();
    }
}
