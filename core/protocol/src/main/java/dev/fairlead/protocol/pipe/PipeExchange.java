package dev.fairlead.protocol.pipe;

import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.time.Unanswered;

/** The exchange of single messages of a pipe: the pipe itself. */
class PipeExchange implements Exchange {
    private final SessionContext line;
    private final Unanswered unanswered;

    PipeExchange(SessionContext line, Unanswered unanswered) {
        this.line = line;
        this.unanswered = unanswered;
    }

    @Override
    public void send(JsonRpcMessage message) {
        boolean answer =
                message instanceof JsonRpcResponse || message instanceof JsonRpcErrorResponse;
        try {
            line.send(message);
        } finally {
            if (answer) {
                unanswered.answered();
            }
        }
    }

    @Override
    public void abandon(RequestId request) {
        unanswered.answered();
    }

    @Override
    public void staysOpen(RequestId request) {
        unanswered.requested();
    }

    @Override
    public void over(RequestId request) {
        unanswered.answered();
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
