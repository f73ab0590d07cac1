package dev.fairlead.http;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.jsonrpc.Batch;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Revision;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * One POST of a client, with what every step of its way needs.
 *
 * @param share what its body holds
 * @param messages what it brought
 * @param batch what they came in; null if it is one message
 * @param requests the ids of the requests among them
 */
record Post(
        HttpExchange http,
        Reply reply,
        Caller caller,
        BodyBudget.Share share,
        List<JsonRpcMessage> messages,
        @Nullable Batch batch,
        List<RequestId> requests) {

    static Post of(
            HttpExchange http,
            Reply reply,
            Caller caller,
            BodyBudget.Share share,
            JsonRpcMessage message) {
        return switch (message) {
            case Batch batch ->
                    new Post(http, reply, caller, share, batch.messages(), batch, requests(batch));
            case JsonRpcRequest request -> {
                var requests = List.of(request.id());
                yield new Post(http, reply, caller, share, List.of(message), null, requests);
            }
            default -> new Post(http, reply, caller, share, List.of(message), null, List.of());
        };
    }

    private static List<RequestId> requests(Batch batch) {
        return batch.messages().stream()
                .filter(JsonRpcRequest.class::isInstance)
                .map(message -> ((JsonRpcRequest) message).id())
                .toList();
    }

    /** The id for a refusal, where there is just one request. */
    private @Nullable RequestId request() {
        return batch == null && messages.get(0) instanceof JsonRpcRequest request
                ? request.id()
                : null;
    }

    void refuse(int status, String message) {
        reply.refuse(status, request(), message);
    }

    void refuseUnknownSession() {
        refuse(404, "There is no such session");
    }

    boolean initializes() {
        return messages.stream()
                .anyMatch(
                        message ->
                                message instanceof JsonRpcRequest request
                                        && request.method().equals("initialize"));
    }

    /** Refuses a batch that has {@code initialize} in it. */
    boolean isRefusedWithInitialize() {
        if (batch == null || !initializes()) {
            return false;
        }
        refuse(400, "initialize must not be part of a batch");
        return true;
    }

    /** Refuses a batch where the revision of the session has none. */
    boolean isRefusedAsBatch(Revision revision) {
        if (batch == null || revision == Revision.V2025_03_26) {
            return false;
        }
        refuse(400, "A batch is only part of revision " + Revision.V2025_03_26);
        return true;
    }
}
