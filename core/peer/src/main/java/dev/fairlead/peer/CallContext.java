package dev.fairlead.peer;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionInfo;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/** The context of a request beside its method and parameters; interceptors do not change it. */
public interface CallContext {
    /** Returns the caller; anonymous for requests of this side. */
    default Caller caller() {
        return Caller.anonymous();
    }

    /** Returns the key of the connection of an anonymous caller; null where it has none. */
    default @Nullable Object connectionKey() {
        return null;
    }

    /**
     * Returns the id of the request; empty for requests of this side, and for the run of a task.
     */
    default Optional<RequestId> id() {
        return Optional.empty();
    }

    /** The session; empty for the run of a task. */
    default Optional<SessionInfo> session() {
        return Optional.empty();
    }

    /** The name of the transport, see {@link dev.fairlead.protocol.MethodCall#transport}. */
    default Optional<String> transport() {
        return session().map(SessionInfo::transport);
    }

    /** The revision that was agreed on; empty before that. */
    Optional<Revision> revision();

    /** Returns the metadata of parameters that have no place for it. */
    default JsonObject meta() {
        return JsonObject.EMPTY;
    }

    /**
     * Returns the metadata of a request whose parameters have no {@code _meta}: that of the call
     * that it belongs to, for questions of a round.
     */
    default JsonObject inheritedMeta() {
        return JsonObject.EMPTY;
    }

    /** Which round of a call it is, see {@link dev.fairlead.protocol.MethodCall#round}. */
    default int round() {
        return 1;
    }

    /** Whether the peer does not wait for the answer any more. */
    default boolean isCancelled() {
        return false;
    }

    /** The first value of a header of the HTTP request that brought it; empty elsewhere. */
    default Optional<String> header(String name) {
        return Optional.empty();
    }

    /** Of a request that came in a session. */
    static CallContext inbound(Caller caller, RequestId id, Optional<SessionInfo> session) {
        return new Known(caller, Optional.of(id), session, session.map(SessionInfo::revision));
    }

    /**
     * Of a request to the peer.
     *
     * @param session empty in the run of a task, which asks whichever session there is
     */
    static CallContext outbound(Optional<SessionInfo> session, Optional<Revision> revision) {
        return new Known(Caller.anonymous(), Optional.empty(), session, revision);
    }

    /** Of the run of a task that a request became. */
    static CallContext task(Caller caller, Optional<Revision> revision) {
        return new Known(caller, Optional.empty(), Optional.empty(), revision);
    }

    /** All that is known where no HTTP request is. */
    record Known(
            Caller caller,
            Optional<RequestId> id,
            Optional<SessionInfo> session,
            Optional<Revision> revision)
            implements CallContext {}
}
