package dev.fairlead.client.internal;

import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.JsonRpcException;

import org.jspecify.annotations.Nullable;

/** Creates the exceptions of the public API for the packages below it. */
public interface Failures {
    /**
     * There is no common revision.
     *
     * @param offered the revisions of the server; empty if it names none
     * @param refusal the error that lists them; null if a result does
     */
    CallException unsupportedRevision(
            String offered, ClientSettings settings, @Nullable JsonRpcException refusal);

    /** A server asked more often than a call may take. */
    CallException tooManyRounds(String method, int rounds);

    /** A handler threw a checked exception. */
    CallException handlerFailed(String method, Exception cause);
}
