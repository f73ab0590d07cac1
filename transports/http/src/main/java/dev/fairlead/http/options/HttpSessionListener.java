package dev.fairlead.http.options;

import dev.fairlead.protocol.Caller;

import java.util.Objects;

/**
 * Is notified when sessions are opened and closed. Called on the thread that opens or closes the
 * session, which waits: implementations should be quick. Sessions are opened and closed on several
 * threads at the same time. Exceptions of implementations are logged.
 */
public interface HttpSessionListener {
    /**
     * A client has opened a session, its {@code initialize} succeeded; or it has continued one that
     * an earlier process had.
     */
    default void opened(HttpSessionInfo session) {}

    /** An opened session has ended. */
    default void closed(HttpSessionInfo session, Reason reason) {}

    /** The reason why a session ended. */
    enum Reason {
        /** The client sent DELETE. */
        DELETED,
        /**
         * The session was not used for longer than {@link
         * dev.fairlead.http.HttpOptions#sessionIdleTimeout}.
         */
        IDLE,
        /**
         * The session was idle, and its place was needed: see {@link
         * dev.fairlead.http.HttpOptions#maxSessions}.
         */
        EVICTED,
        /** Another node that shares the store owns the session now. */
        MOVED,
        /** The client's stream of events ended, with which a session over HTTP+SSE ends. */
        GONE,
        /**
         * The client of the session read none of its waiting requests, and their limit was reached.
         */
        UNREACHABLE,
        /** The server ended this session. */
        ENDED,
        /** The endpoint was closed; where its store keeps sessions, another server continues it. */
        CLOSED
    }

    /**
     * The public part of a session.
     *
     * @param name for logs; it does not give access, since it is not the session id
     * @param caller the caller that opened it
     */
    record HttpSessionInfo(String name, Caller caller) {
        public HttpSessionInfo {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(caller, "caller");
        }
    }
}
