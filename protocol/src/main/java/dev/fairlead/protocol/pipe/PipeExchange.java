package dev.fairlead.protocol.pipe;

import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.SessionContext;

/** Where single messages of a pipe came in: the pipe itself. */
class PipeExchange implements Exchange {
    private final SessionContext line;
    private final UnderWay underWay;

    PipeExchange(SessionContext line, UnderWay underWay) {
        this.line = line;
        this.underWay = underWay;
    }

    @Override
    public void send(JsonRpcMessage message) {
        boolean answer =
                message instanceof JsonRpcResponse || message instanceof JsonRpcErrorResponse;
        try {
            line.send(message);
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
    public boolean isPipe() {
        return true;
    }

    @Override
    public boolean isOpen() {
        return line.isReachable();
    }

    @Override
    public Caller caller() {
        return line.caller();
    }
}
