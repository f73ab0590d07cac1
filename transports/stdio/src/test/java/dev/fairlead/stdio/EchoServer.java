package dev.fairlead.stdio;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.SessionHost;

import java.util.Optional;

/** Answers every request with its parameters, each on a virtual thread of its own. */
class EchoServer implements SessionHost {
    @Override
    public Session open(SessionContext context) {
        return new Session() {
            @Override
            public void accept(JsonRpcMessage message, Exchange exchange) {
                if (message instanceof JsonRpcRequest request) {
                    Thread.ofVirtual().start(() -> answer(request, exchange));
                }
            }

            @Override
            public void fail(RequestId request, CallException cause) {}

            @Override
            public Optional<Revision> revision() {
                return Optional.of(Revision.V2025_11_25);
            }

            @Override
            public void close() {}
        };
    }

    void answer(JsonRpcRequest request, Exchange exchange) {
        RawJson params = request.params();
        exchange.send(
                new JsonRpcResponse(request.id(), params == null ? RawJson.EMPTY_OBJECT : params));
    }
}
