package dev.fairlead.client;

import dev.fairlead.jsonrpc.CallException;

import org.jspecify.annotations.Nullable;

/**
 * A call ended because the server needed input for it and the handler of this client threw a
 * checked exception, which is the cause. Unchecked exceptions of handlers end the call as they are.
 */
public final class HandlerException extends CallException {
    private static final long serialVersionUID = 1;

    HandlerException(String method, @Nullable Throwable cause) {
        super("The handler for " + method + " failed: " + cause, cause);
    }
}
