package dev.fairlead.jsonrpc;

import org.jspecify.annotations.Nullable;

/** A text is no JSON-RPC message; its error is what the sender is to be answered. */
public final class MalformedMessageException extends JsonRpcException {
    private static final long serialVersionUID = 1;

    private final transient @Nullable RequestId id;

    MalformedMessageException(
            int code, String message, @Nullable RequestId id, @Nullable Throwable cause) {
        super(new JsonRpcError(code, message), cause);
        this.id = id;
    }

    /**
     * The answer to the sender: an error response, with the id of the request where that could be
     * read (BASE-011).
     */
    public JsonRpcErrorResponse response() {
        return new JsonRpcErrorResponse(id, error());
    }
}
