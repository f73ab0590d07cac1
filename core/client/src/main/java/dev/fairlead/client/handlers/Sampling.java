package dev.fairlead.client.handlers;

import dev.fairlead.client.internal.ClientSettings;
import dev.fairlead.client.internal.Given;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.CreateMessageResult;

import java.util.Objects;

/**
 * Answers {@code sampling/createMessage}. That uses of tools are paired with their results was
 * checked when the request was read.
 */
record Sampling(ClientSettings settings) {
    /**
     * Makes sure that a request is one that this client answers.
     *
     * @throws JsonRpcException {@code -32602} if not
     */
    public void require(CreateMessageRequest request) {
        if (!settings.sampleTools && (request.tools() != null || request.toolChoice() != null)) {
            throw JsonRpcException.invalidParams("This client did not declare sampling.tools");
        }
    }

    public CreateMessageResult sample(CreateMessageRequest request) throws Exception {
        require(request);
        CreateMessageRequest allowed =
                Given.by(
                        "the review of a sampling request", settings.reviewRequest.handle(request));
        CreateMessageResult sampled =
                Given.by(
                        "the sampling handler",
                        Objects.requireNonNull(settings.onSample).handle(allowed));
        return Given.by(
                "the review of a sample",
                settings.reviewResult.handle(new ClientSettings.Sampled(allowed, sampled)));
    }
}
