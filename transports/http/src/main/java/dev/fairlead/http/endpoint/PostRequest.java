package dev.fairlead.http.endpoint;

import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.jsonrpc.Batch;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.engine.RequestSubject;
import dev.fairlead.protocol.versioning.RequestMeta;

import org.jspecify.annotations.Nullable;

import java.util.Iterator;
import java.util.List;

/**
 * One POST of a client, with the values that each step of its handling needs.
 *
 * @param source the source from whose share its places are taken, apart from its session
 * @param share the bytes of its body
 * @param messages its messages
 * @param batch the batch that contained them; null if it is one message
 * @param requests the ids of the requests among them
 */
public record PostRequest(
        HttpExchange http,
        Reply reply,
        Caller caller,
        RequestSource source,
        BodyBudget.Share share,
        List<JsonRpcMessage> messages,
        @Nullable Batch batch,
        List<RequestId> requests) {

    public static PostRequest of(
            HttpExchange http,
            Reply reply,
            Caller caller,
            BodyBudget.Share share,
            JsonRpcMessage message) {
        Batch batch = message instanceof Batch several ? several : null;
        List<JsonRpcMessage> messages = batch == null ? List.of(message) : batch.messages();
        if (message instanceof JsonRpcRequest request) {
            reply.about(() -> RequestSubject.of(request.method(), request.params()));
        }
        return new PostRequest(
                http,
                reply,
                caller,
                reply.source(caller),
                share,
                messages,
                batch,
                batch == null ? requests(message) : requests(messages));
    }

    private static List<RequestId> requests(JsonRpcMessage message) {
        return message instanceof JsonRpcRequest request ? List.of(request.id()) : List.of();
    }

    private static List<RequestId> requests(List<JsonRpcMessage> messages) {
        return messages.stream().flatMap(message -> requests(message).stream()).toList();
    }

    /** The id for a refusal, where there is just one request. */
    private @Nullable RequestId request() {
        return batch == null && messages.get(0) instanceof JsonRpcRequest request
                ? request.id()
                : null;
    }

    public void refuse(HttpRefusal refusal) {
        reply.refuse(refusal, request());
    }

    /** Returns its body as it is forwarded. */
    public byte[] toBytes() {
        return batch == null ? messages.get(0).toBytes() : batch.toBytes();
    }

    public boolean initializes() {
        for (JsonRpcMessage message : messages) {
            if (message instanceof JsonRpcRequest request
                    && request.method().equals("initialize")) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether it continues a call that has asked its client. */
    public boolean isContinued() {
        return batch == null
                && messages.get(0) instanceof JsonRpcRequest request
                && RequestMeta.isContinued(request.params());
    }

    /** Hands all messages to a session; requests that it does not take have ended. */
    public void handTo(Session session, Exchange exchange) {
        Iterator<JsonRpcMessage> rest = messages.iterator();
        while (rest.hasNext()) {
            JsonRpcMessage message = rest.next();
            try {
                session.accept(message, exchange);
            } catch (RuntimeException | Error e) {
                ended(message, exchange);
                rest.forEachRemaining(other -> ended(other, exchange));
                throw e;
            }
        }
    }

    private static void ended(JsonRpcMessage message, Exchange exchange) {
        if (message instanceof JsonRpcRequest request) {
            exchange.ended(request.id());
        }
    }

    /**
     * Checks that {@code initialize} comes alone.
     *
     * @throws HttpRefusalException if it is part of a batch
     */
    public void checkInitialize() {
        if (batch != null && initializes()) {
            throw new HttpRefusalException(
                    RefusalReason.BATCH, "initialize must not be part of a batch");
        }
    }

    /**
     * Checks that a revision has batches, if this is one.
     *
     * @throws HttpRefusalException if it has none
     */
    public void checkBatch(Revision revision) {
        if (batch != null && revision != Revision.V2025_03_26) {
            throw new HttpRefusalException(
                    RefusalReason.BATCH,
                    "A batch is only part of revision " + Revision.V2025_03_26);
        }
    }
}
