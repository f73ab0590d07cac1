package dev.fairlead.protocol.pipe;

import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.Session;

/** Hands messages to sessions so that no side waits for one that found no memory. */
final class Handover {
    /** The response in place of one that needs more memory than there is. */
    static final JsonRpcError EXHAUSTED =
            RetryableError.mark(
                    new JsonRpcError(ErrorCode.INTERNAL_ERROR, "The server has no memory left"));

    private Handover() {}

    /**
     * Has a session accept a message. If there is no memory for it, a request is answered with an
     * error, and a request that the message answers fails.
     *
     * @throws VirtualMachineError afterwards
     */
    static void accept(Session session, JsonRpcMessage message, Exchange exchange) {
        try {
            session.accept(message, exchange);
        } catch (VirtualMachineError e) {
            switch (message) {
                case JsonRpcRequest request ->
                        exchange.send(new JsonRpcErrorResponse(request.id(), EXHAUSTED));
                case JsonRpcResponse response -> fail(session, response.id(), e);
                case JsonRpcErrorResponse error when error.id() != null ->
                        fail(session, error.id(), e);
                default -> {} // no side waits
            }
            throw e;
        }
    }

    private static void fail(Session session, RequestId request, VirtualMachineError cause) {
        session.fail(
                request, new ConnectionException("there was no memory for the response", cause));
    }
}
