package dev.fairlead.http.streamable;

import dev.fairlead.jsonrpc.RequestId;

import java.util.List;

/**
 * How a POST may be answered.
 *
 * @param requests the ids of what is to be answered, at least one
 * @param batch whether they came as an array, so that JSON answers are one as well
 * @param json whether the client takes JSON
 * @param streaming whether anything but responses may be sent
 * @param resumable whether the client may be disconnected and resume the stream
 */
record AnswerOptions(
        List<RequestId> requests,
        boolean batch,
        boolean json,
        boolean streaming,
        boolean resumable) {
    AnswerOptions {
        requests = List.copyOf(requests);
    }
}
