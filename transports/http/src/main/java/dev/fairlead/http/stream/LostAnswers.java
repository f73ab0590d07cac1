package dev.fairlead.http.stream;

import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventStore;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Ends streams of answers that no process will end any more, since the process that answered is
 * gone or could not keep the answer: requests without a response get an error. The lock has it done
 * once.
 */
public final class LostAnswers {
    private static final int PAGE = 32;

    private static final JsonRpcError LOST =
            new JsonRpcError(
                    ErrorCode.INTERNAL_ERROR,
                    "The answer was lost: the server was restarted, or could not keep it");

    private final ReentrantLock lock = new ReentrantLock();

    /**
     * Ends a stream, unless that has been done.
     *
     * @param seen the event of it that the client has seen last
     */
    public void end(EventStore store, EventStore.Stream stream, EventId seen) {
        lock.lock();
        try {
            if (store.open(stream.session(), stream.name()).isEmpty()) {
                return;
            }
            List<RequestId> lost = new ArrayList<>(stream.requests());
            lost.removeAll(answered(store, stream, seen));
            for (RequestId request : lost) {
                store.append(stream, new JsonRpcErrorResponse(request, LOST).toBytes());
            }
            store.end(stream.session(), stream.name());
        } finally {
            lock.unlock();
        }
    }

    /**
     * The requests whose responses are kept, if the events that the client has not seen are kept as
     * well.
     */
    private static List<RequestId> answered(
            EventStore store, EventStore.Stream stream, EventId seen) {
        EventId first = new EventId(stream.session(), stream.name(), 0);
        EventId last = store.after(first, 1).isPresent() ? first : seen;
        List<RequestId> answered = new ArrayList<>();
        List<EventStore.Event> page = store.after(last, PAGE).orElse(List.of());
        while (!page.isEmpty()) {
            page.forEach(event -> addAnswered(event.data(), answered));
            page = store.after(page.getLast().id(), PAGE).orElse(List.of());
        }
        return answered;
    }

    private static void addAnswered(byte[] data, List<RequestId> answered) {
        if (data.length == 0) {
            return;
        }
        switch (JsonRpcMessage.parse(data)) {
            case JsonRpcResponse success -> answered.add(success.id());
            case JsonRpcErrorResponse failure when failure.id() != null ->
                    answered.add(failure.id());
            default -> {}
        }
    }
}
