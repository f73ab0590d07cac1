package dev.fairlead.server.handler;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * Looks after the outside job that a task is parked on; see {@link
 * dev.fairlead.server.ToolDeclaration#pollJob}.
 *
 * @param <O> the output of the tool
 */
@FunctionalInterface
public interface JobPoll<O extends @Nullable Object> {
    /**
     * Asks how the job stands. Runs on a virtual thread of its own, on any node.
     *
     * @param job as it was given to {@link Call#park}
     * @return the output of the tool; empty while the job is not done
     * @throws Exception a {@link dev.fairlead.protocol.tools.ToolFailedException} or a {@link
     *     dev.fairlead.jsonrpc.JsonRpcException} ends the task so; after anything else it is asked
     *     again
     */
    Optional<O> poll(String job) throws Exception;
}
