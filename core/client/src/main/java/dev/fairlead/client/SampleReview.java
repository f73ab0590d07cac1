package dev.fairlead.client;

import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.CreateMessageResult;

/**
 * Lets a person see, change or deny the sampling requests of a server: the request before the model
 * gets it, the answer before the server does. Each method returns its argument, or something else
 * in its place, or throws {@link UserRejectedException}. Both run on the thread of the request.
 */
public interface SampleReview {
    /** Reviews the request of the server; by default it is accepted. */
    default CreateMessageRequest reviewRequest(CreateMessageRequest request) throws Exception {
        return request;
    }

    /**
     * Reviews the answer of the model; by default it is accepted.
     *
     * @param request the request that the model got
     */
    default CreateMessageResult reviewResult(
            CreateMessageRequest request, CreateMessageResult result) throws Exception {
        return result;
    }
}
