package dev.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;

/**
 * A request that a {@link Peer} has sent. Later requests can overtake it, so tests await its
 * response before any step that depends on it.
 */
record Pending(Peer peer, long id) {
    /** Waits for the response: the whole message. */
    JsonObject response() throws Exception {
        return peer.responseTo(id);
    }

    /** Waits for the response, which must be a result. */
    JsonObject result() throws Exception {
        return member("result");
    }

    /** Waits for the response, which must be an error. */
    JsonObject error() throws Exception {
        return member("error");
    }

    private JsonObject member(String name) throws Exception {
        JsonObject response = response();
        assertThat(response.get(name)).as("%s", response).isNotNull();
        return response.object(name);
    }

    /** Cancels the request at the server. */
    void cancel() {
        peer.notify("notifications/cancelled", "{\"requestId\": %s}".formatted(id));
    }
}
