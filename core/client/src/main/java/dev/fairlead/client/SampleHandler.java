package dev.fairlead.client;

import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.CreateMessageResult;

/** Lets a model speak, on behalf of the server. */
@FunctionalInterface
public interface SampleHandler {
    /**
     * Runs on a virtual thread of its own that is interrupted when the server no longer wants the
     * answer. Preferences, context and system prompt may be passed over, and fewer tokens used;
     * hints are to be tried in their order, before the priorities.
     *
     * @param request its messages are known to pair every use of a tool with its result
     * @throws UserRejectedException if the person does not allow it
     * @throws Exception {@link dev.fairlead.jsonrpc.JsonRpcException} becomes that error; anything
     *     else is logged and becomes {@code -32603}
     */
    CreateMessageResult sample(CreateMessageRequest request) throws Exception;
}
