package dev.fairlead.client;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.CreateMessageRequest;
import dev.fairlead.protocol.CreateMessageResult;
import dev.fairlead.protocol.SamplingMessage;
import dev.fairlead.protocol.ToolUseContent;

import java.util.List;
import java.util.Objects;

/** Answers {@code sampling/createMessage}. */
final class Sampling {
    private static final SampleReview ALL_IS_WELL = new SampleReview() {};

    private final ClientSettings settings;

    Sampling(ClientSettings settings) {
        this.settings = settings;
    }

    CreateMessageResult sample(CreateMessageRequest request) throws Exception {
        if (!settings.sampleTools && (request.tools() != null || request.toolChoice() != null)) {
            throw JsonRpcException.invalidParams(
                    "This client did not declare sampling.tools"); // ROOM-067
        }
        checkEnd(request.messages());
        SampleHandler handler = Objects.requireNonNull(settings.onSample);
        SampleReview review = settings.sampleReview == null ? ALL_IS_WELL : settings.sampleReview;
        CreateMessageRequest allowed = review.reviewRequest(request);
        return review.reviewResult(allowed, handler.sample(allowed));
    }

    /** A model cannot go on where the results of tools are still missing (SAMP-011). */
    private static void checkEnd(List<SamplingMessage> messages) {
        boolean open =
                !messages.isEmpty()
                        && messages.get(messages.size() - 1).content().stream()
                                .anyMatch(ToolUseContent.class::isInstance);
        if (open) {
            throw JsonRpcException.invalidParams(
                    "The last message uses tools whose results are missing");
        }
    }
}
