package dev.fairlead.http.client;

import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.SessionContext;

/** Whatever stream a message of the server came on, its answer is a POST of its own. */
record ClientExchange(SessionContext context) implements Exchange {
    @Override
    public void send(JsonRpcMessage message) {
        context.send(message);
    }

    @Override
    public void abandon(RequestId request) {
        // no POST waits to be made
    }

    @Override
    public Caller caller() {
        return context.caller();
    }
}
