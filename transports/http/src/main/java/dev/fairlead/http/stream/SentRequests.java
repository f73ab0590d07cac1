package dev.fairlead.http.stream;

import dev.fairlead.jsonrpc.RequestId;

import java.util.ArrayList;
import java.util.List;

/**
 * The requests of this side on one stream that a store keeps, oldest first: of those that do not
 * reach the client their senders are failed. Bounded. Used under the lock of the stream.
 */
final class SentRequests {
    private static final int MAX = 1_000;

    private record Sent(long event, RequestId id) {}

    private final List<Sent> requests = new ArrayList<>(0); // most streams have none

    /**
     * Makes place for one more by forgetting the oldest of those that were written.
     *
     * @return false if so many are still to be written
     */
    boolean makePlace(long written) {
        if (requests.size() >= MAX && requests.getFirst().event() <= written) {
            requests.removeFirst();
        }
        return requests.size() < MAX;
    }

    void add(long event, RequestId id) {
        requests.add(new Sent(event, id));
    }

    /** The requests after an event of the stream. */
    List<RequestId> after(long event) {
        return requests.stream().filter(sent -> sent.event() > event).map(Sent::id).toList();
    }
}
