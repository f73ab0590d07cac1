package dev.fairlead.client;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.CreateMessageResult;

import java.util.Objects;

/**
 * Answers {@code sampling/createMessage}. That uses of tools are paired with their results was
 * checked when the request was read.
 */
final class Sampling {
    private static final SampleReview ALL_IS_WELL = new SampleReview() {};

    private final ClientSettings settings;

    Sampling(ClientSettings settings) {
        this.settings = settings;
    }

    /**
     * Makes sure that a request is one that this client answers.
     *
     * @throws JsonRpcException {@code -32602} if not
     */
    void require(CreateMessageRequest request) {
        if (!settings.sampleTools && (request.tools() != null || request.toolChoice() != null)) {
            throw JsonRpcException.invalidParams("This client did not declare sampling.tools");
        }
    }

    CreateMessageResult sample(CreateMessageRequest request) throws Exception {
        require(request);
        SampleHandler handler = Objects.requireNonNull(settings.onSample);
        SampleReview review = settings.sampleReview == null ? ALL_IS_WELL : settings.sampleReview;
        CreateMessageRequest allowed =
                Given.by("the review of a sampling request", review.reviewRequest(request));
        CreateMessageResult sampled = Given.by("the sampling handler", handler.sample(allowed));
        return Given.by("the review of a sample", review.reviewResult(allowed, sampled));
    }
}
