package dev.fairlead.server.handler;

import org.jspecify.annotations.Nullable;

/**
 * The body of a feature: a tool, a resource, a prompt, a method.
 *
 * <p>It runs on a virtual thread of its own and may block. When the client cancels, the time is
 * over or the connection is lost, that thread is interrupted. Several calls run at the same time,
 * so a handler must be safe for use by several threads.
 *
 * @param <I> the input
 * @param <O> the output
 */
@FunctionalInterface
public interface Handler<I, O extends @Nullable Object> {
    /**
     * Does the work of one call.
     *
     * @param input the arguments, already validated
     * @param call the other data of the call, and the requests to the client
     * @throws Exception a {@link dev.fairlead.jsonrpc.JsonRpcException} reaches the client
     *     unchanged; in a tool a {@link dev.fairlead.protocol.tools.ToolFailedException} becomes a
     *     result with {@code isError} and its message; anything else is logged, and the client gets
     *     a reference to the log and nothing more
     */
    O handle(I input, Call call) throws Exception;
}
