package dev.fairlead.protocol.pipe;

import dev.fairlead.jsonrpc.Batch;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.time.Unanswered;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Collects the responses to the requests of one batch and sends them as one batch when they are
 * complete. Other messages are sent at once.
 */
final class BatchExchange implements Exchange {
    private final SessionContext line;
    private final Unanswered unanswered;
    private final ReentrantLock lock = new ReentrantLock();
    // guarded by lock
    private final List<RequestId> open;
    private final List<JsonRpcMessage> responses = new ArrayList<>();

    /**
     * @param refused the error responses to malformed messages of the batch
     */
    BatchExchange(
            Batch batch,
            List<JsonRpcErrorResponse> refused,
            SessionContext line,
            Unanswered unanswered) {
        this.line = line;
        this.unanswered = unanswered;
        this.open =
                new ArrayList<>(
                        batch.messages().stream()
                                .filter(JsonRpcRequest.class::isInstance)
                                .map(message -> ((JsonRpcRequest) message).id())
                                .toList());
        responses.addAll(refused);
    }

    /** Counts the batch as unanswered; one without requests is answered here, if at all. */
    void begin() {
        unanswered.requested();
        if (open.isEmpty()) {
            finish(List.copyOf(responses));
        }
    }

    @Override
    public void send(JsonRpcMessage message) {
        switch (message) {
            case JsonRpcResponse response -> settle(response.id(), response);
            case JsonRpcErrorResponse error when error.id() != null -> settle(error.id(), error);
            default -> line.send(message);
        }
    }

    @Override
    public void abandon(RequestId request) {
        settle(request, null);
    }

    private void settle(RequestId id, @Nullable JsonRpcMessage response) {
        List<JsonRpcMessage> all;
        lock.lock();
        try {
            if (!open.remove(id)) {
                return;
            }
            if (response != null) {
                responses.add(response);
            }
            if (!open.isEmpty()) {
                return;
            }
            all = List.copyOf(responses);
        } finally {
            lock.unlock();
        }
        finish(all);
    }

    private void finish(List<JsonRpcMessage> all) {
        try {
            if (!all.isEmpty()) {
                line.send(new Batch(all, List.of()));
            }
        } finally {
            unanswered.answered();
        }
    }

    @Override
    public boolean isOpen() {
        return line.isReachable();
    }

    @Override
    public Caller caller() {
        return line.caller();
    }
}
