package dev.fairlead.http.options;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Optional;

/**
 * The reason why an HTTP request was refused before a handler received it. Each refusal is counted
 * by its reason in {@link HttpMetrics#refusals}, and logged at most once a minute for each reason
 * by the logger {@code dev.fairlead.refusals}. More reasons may be added.
 */
public enum RefusalReason {
    /** The {@code Origin} is not allowed. */
    ORIGIN(403, "add it to HttpOptions.allowOrigins"),
    /** The {@code Host} is not allowed. */
    HOST(403, "add it to HttpOptions.allowHosts"),
    /** No valid token. */
    UNAUTHORIZED(401, null),
    /** The authorization refused the request with another status than 401. */
    FORBIDDEN(403, null),
    /** The token lacks a scope that the feature requires. */
    INSUFFICIENT_SCOPE(403, null),
    /** The authorization could not decide, for example since no keys could be fetched. */
    AUTHORIZATION_UNAVAILABLE(503, null),
    /** A path where nothing is served. */
    PATH(404, null),
    /** A method that the path does not serve. */
    METHOD(405, null),
    /** An {@code Accept} that excludes the response. */
    ACCEPT(406, null),
    /** A body that is not {@code application/json}. */
    CONTENT_TYPE(415, null),
    /** A body that is compressed or otherwise encoded. */
    CONTENT_ENCODING(415, null),
    /** A body that is not a JSON-RPC message. */
    MALFORMED(400, null),
    /** A body that ended early. */
    BODY_INCOMPLETE(400, null),
    /** A body that came too slowly. */
    BODY_SLOW(408, "raise HttpOptions.clientTimeout"),
    /** A body that is too large. */
    BODY_SIZE(413, "raise HttpOptions.maxBody"),
    /** No memory left for request bodies. */
    BODY_BUDGET(503, "raise HttpOptions.maxBodySum"),
    /** An {@code MCP-Protocol-Version} that is unknown or not that of the session. */
    PROTOCOL_VERSION(400, null),
    /** A batch where the revision has none, or with {@code initialize} in it. */
    BATCH(400, null),
    /** The id of the session is missing. */
    SESSION_MISSING(400, null),
    /** A session that is unknown, over, or of another caller. */
    SESSION_UNKNOWN(404, null),
    /** The events after {@code Last-Event-ID} are no longer stored. */
    EVENTS_GONE(400, "raise HttpOptions.resumeWithin"),
    /** A caller or address sends requests too often. */
    REQUEST_RATE(429, "raise HttpOptions.requestRate"),
    /** Authorization refuses requests of an address, or cannot decide them, too often. */
    REFUSAL_RATE(429, "raise HttpOptions.refusalRate"),
    /** An address names unknown sessions too often. */
    UNKNOWN_SESSION_RATE(429, "raise HttpOptions.unknownSessionRate"),
    /** The client has not read earlier answers, and there is no room for another. */
    UNREAD_ANSWERS(503, "raise HttpOptions.maxAnswerSum"),
    /** Too many requests under way, or bodies being read. */
    REQUEST_LIMIT(503, "raise HttpOptions.maxRequests"),
    /** Too many {@code tasks/result} requests that wait for their tasks. */
    RESULT_WAIT_LIMIT(503, "raise HttpOptions.maxResultWaits"),
    /** Too many sessions. */
    SESSION_LIMIT(503, "raise HttpOptions.maxSessions"),
    /** The server takes no session: its own limit is reached, or it is closed. */
    SERVER_SESSION_LIMIT(503, "raise McpServer.Builder.maxSessions"),
    /** Too many requests are being forwarded to other nodes. */
    FORWARD_LIMIT(503, "raise Peers.maxForwarded"),
    /** The node that owns the session cannot be reached. */
    OWNER_UNREACHABLE(503, null),
    /** The endpoint is being closed. */
    CLOSING(503, null),
    /** The store of sessions and events failed. */
    STORE(503, null);

    private final int status;
    private final @Nullable String remedy;

    RefusalReason(int status, @Nullable String remedy) {
        this.status = status;
        this.remedy = remedy;
    }

    /** The status that such a request is usually answered with. */
    public int status() {
        return status;
    }

    /**
     * The change that an operator can make, such as {@code raise HttpOptions.maxBody}; empty if
     * there is none.
     */
    public Optional<String> remedy() {
        return Optional.ofNullable(remedy);
    }

    /** The name in logs and metrics, such as {@code body_size}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
