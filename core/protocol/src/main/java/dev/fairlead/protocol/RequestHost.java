package dev.fairlead.protocol;

import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.protocol.versioning.RequestMeta;

import java.util.function.Consumer;

/**
 * What answers requests that need no session, since they say of their client what is to be known:
 * those of revision 2026-07-28 and later. Nothing is kept between them, and ids of different
 * requests may be equal. Thread-safe.
 */
public interface RequestHost {
    /**
     * Takes a request over. Returns when it is accepted or refused, and not when it has been
     * processed; runs code of users on the calling thread only as far as {@link Exchange#run} does.
     *
     * @param meta what the request says of its client, read from its parameters
     * @param exchange where the request came in, and where everything goes out that belongs to it:
     *     exactly one response, or {@link Exchange#abandon} if it was cancelled
     * @param onTaken gets the way to cancel it, before anything of it runs; a request that is
     *     refused ignores that
     */
    void accept(
            JsonRpcRequest request,
            RequestMeta meta,
            RequestOrigin origin,
            Exchange exchange,
            Consumer<RunningRequest> onTaken);

    /**
     * Returns the error for a revision that is not served, with those that are: {@code -32022}.
     *
     * @param requested the name of the revision, which may be empty
     */
    JsonRpcError unsupported(String requested);
}
