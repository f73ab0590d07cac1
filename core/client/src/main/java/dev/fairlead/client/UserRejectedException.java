package dev.fairlead.client;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.base.McpErrorCode;

/** The person does not allow the request of the server, which gets the error {@code -1}. */
public final class UserRejectedException extends JsonRpcException {
    private static final long serialVersionUID = 1;

    public UserRejectedException() {
        this("User rejected sampling request");
    }

    /**
     * @param message for the server
     */
    public UserRejectedException(String message) {
        super(McpErrorCode.USER_REJECTED, message);
    }
}
