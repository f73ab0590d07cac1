package dev.fairlead.client;

import dev.fairlead.protocol.roots.Root;

import java.util.List;

/** Says where the server may work, see {@link McpClient.Builder#onRoots}. */
@FunctionalInterface
public interface RootsHandler {
    /**
     * The roots of this moment, each of them allowed by the person and there. Runs on a virtual
     * thread of its own that is interrupted when the server no longer wants the answer.
     *
     * @throws Exception {@link dev.fairlead.jsonrpc.JsonRpcException} becomes that error; anything
     *     else is logged and becomes {@code -32603}
     */
    List<Root> roots() throws Exception;
}
