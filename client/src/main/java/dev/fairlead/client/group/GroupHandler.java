package dev.fairlead.client.group;

/**
 * Answers what a server of the group asks.
 *
 * @param <Q> the question
 * @param <A> the answer
 */
@FunctionalInterface
public interface GroupHandler<Q, A> {
    /**
     * Runs on a virtual thread of its own that is interrupted when the server no longer wants the
     * answer.
     *
     * @param server the name of the server in the group
     * @throws Exception {@link dev.fairlead.jsonrpc.JsonRpcException} becomes that error; anything
     *     else is logged and becomes {@code -32603}
     */
    A answer(String server, Q question) throws Exception;
}
