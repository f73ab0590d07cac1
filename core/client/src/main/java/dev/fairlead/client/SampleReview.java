package dev.fairlead.client;

import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.CreateMessageResult;

/**
 * Lets a person see, change or deny what a server has a model do: the request before the model gets
 * it, the answer before the server does. Each method returns what it got, or something else in its
 * place, or throws {@link UserRejectedException}. Both run on the thread of the request.
 */
public interface SampleReview {
    /** Looks at what the server asks; by default all is well. */
    default CreateMessageRequest reviewRequest(CreateMessageRequest request) throws Exception {
        return request;
    }

    /**
     * Looks at what the model said; by default all is well.
     *
     * @param request what the model was given
     */
    default CreateMessageResult reviewResult(
            CreateMessageRequest request, CreateMessageResult result) throws Exception {
        return result;
    }
}
