package dev.fairlead.client;

import dev.fairlead.json.JsonObject;

/**
 * Answers a request of the server that the protocol does not know, see {@link
 * McpClient.Builder#onRequest}.
 */
@FunctionalInterface
public interface RequestHandler {
    /**
     * Runs on a virtual thread of its own that is interrupted when the server no longer wants the
     * answer.
     *
     * @param params empty where the wire has none
     * @return the result
     * @throws Exception {@link dev.fairlead.jsonrpc.JsonRpcException} becomes that error; anything
     *     else is logged and becomes {@code -32603}
     */
    JsonObject handle(JsonObject params) throws Exception;
}
