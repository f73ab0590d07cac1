package dev.fairlead.protocol.pipe;

import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Exchange;

import java.util.function.Consumer;

/** Where single messages of a pipe came in: the pipe itself. */
final class PipeExchange implements Exchange {
    private final Consumer<JsonRpcMessage> out;
    private final UnderWay underWay;

    PipeExchange(Consumer<JsonRpcMessage> out, UnderWay underWay) {
        this.out = out;
        this.underWay = underWay;
    }

    @Override
    public void send(JsonRpcMessage message) {
        boolean answer =
                message instanceof JsonRpcResponse || message instanceof JsonRpcErrorResponse;
        try {
            out.accept(message);
        } finally {
            if (answer) {
                underWay.remove();
            }
        }
    }

    @Override
    public void abandon(RequestId request) {
        underWay.remove();
    }

    @Override
    public Caller caller() {
        return Caller.anonymous();
    }
}
