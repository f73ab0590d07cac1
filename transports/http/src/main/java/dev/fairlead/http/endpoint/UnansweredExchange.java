package dev.fairlead.http.endpoint;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.SessionContext;

import java.util.List;

/**
 * The exchange of a notification or a response. It has no answer of its own, so messages sent
 * because of it go to the streams for messages that belong to no request.
 */
public record UnansweredExchange(HttpExchange http, Caller caller, SessionContext session)
        implements Exchange {
    @Override
    public void send(JsonRpcMessage message) {
        session.send(message);
    }

    @Override
    public void abandon(RequestId request) {}

    @Override
    public boolean isOpen() {
        return session.isReachable();
    }

    @Override
    public List<String> header(String name) {
        return http.headers(name);
    }
}
