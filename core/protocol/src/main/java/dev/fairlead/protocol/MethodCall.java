package dev.fairlead.protocol;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.tools.CallToolRequest;

import java.util.Optional;

/**
 * A request in the form for interceptors, from the peer or to it. Notifications are not
 * intercepted. Not for implementation by users.
 */
public interface MethodCall {
    /** The member of the parameters with {@link #meta}. */
    String META = "_meta";

    /** Returns the method, such as {@code tools/call}. */
    String name();

    /** Returns the parameters as their record, such as {@link CallToolRequest}. */
    Object params();

    /** Returns the same method with other parameters, which must be of the same class. */
    MethodCall withParams(Object params);

    /** Returns additional metadata ({@code _meta}); empty for none. */
    default JsonObject meta() {
        JsonObject meta =
                switch (params()) {
                    case RequestParams known -> known.meta();
                    case JsonObject raw when raw.get(META) instanceof JsonObject there -> there;
                    default -> null;
                };
        return meta == null ? JsonObject.EMPTY : meta;
    }

    /**
     * Returns the same method with another {@link #meta}; unchanged where the parameters are a
     * user-defined record, which has no place for it.
     */
    default MethodCall withMeta(JsonObject meta) {
        return switch (params()) {
            case RequestParams known -> withParams(known.withMeta(meta));
            case JsonObject raw -> withParams(raw.with(META, meta));
            default -> this;
        };
    }

    /** Returns the id of the request; empty for a request of this side, which gets its id later. */
    default Optional<RequestId> id() {
        return Optional.empty();
    }

    /** Returns the session of the request; empty for none, as in the run of a task. */
    default Optional<SessionInfo> session() {
        return Optional.empty();
    }

    /**
     * Returns the name of the transport of a request, as in {@link SessionInfo#transport}, also
     * without a session; empty in the run of a task, and for questions of revision 2026-07-28,
     * which travel with a result.
     */
    default Optional<String> transport() {
        return session().map(SessionInfo::transport);
    }

    /** Returns whether this side receives the request; else it sends it. */
    boolean isInbound();

    /** Returns the caller; for requests of this side, this side itself: anonymous. */
    Caller caller();

    /** Returns the negotiated revision; empty before that. */
    Optional<Revision> revision();

    /**
     * Returns the number of the round of a call, from 1: revision 2026-07-28 answers a call that
     * needs input of its client with questions, and the client sends it again with the answers.
     * Where it is handled, each round is a request of its own; where it is sent, all rounds are
     * one, and this is the last one so far. Always 1 for other requests.
     */
    default int round() {
        return 1;
    }

    /**
     * Returns whether the peer does not wait for the answer any more: it has cancelled the request,
     * or its connection has ended. Changes while the request runs; always false for a request of
     * this side.
     */
    default boolean isCancelled() {
        return false;
    }

    /** Returns the first value of a header of the HTTP request; empty on other transports. */
    default Optional<String> header(String name) {
        return Optional.empty();
    }
}
