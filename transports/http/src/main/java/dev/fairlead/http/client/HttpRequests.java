package dev.fairlead.http.client;

import dev.fairlead.http.blocking.HeaderFields;
import dev.fairlead.http.blocking.OutgoingRequest;
import dev.fairlead.http.endpoint.MediaTypes;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.protocol.Revision;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Builds the HTTP requests of one connection: the one place that decides on headers. Safe for use
 * by several threads.
 */
final class HttpRequests {
    private static final String SESSION_ID = "MCP-Session-Id";
    private static final Set<String> OF_THE_CONNECTION =
            Set.of(
                    "connection",
                    "content-length",
                    "expect",
                    "host",
                    "transfer-encoding",
                    "upgrade");
    private static final Set<String> RESERVED =
            Set.of(
                    "accept",
                    "content-type",
                    "last-event-id",
                    "mcp-method",
                    "mcp-name",
                    "mcp-protocol-version",
                    "mcp-session-id");

    private final ConnectorOptions options;
    private final Supplier<Optional<Revision>> revision;
    private volatile @Nullable String sessionId;
    private volatile boolean sessionGone;

    /** The URL to which messages are posted in HTTP+SSE; null elsewhere. */
    private volatile @Nullable URI legacyEndpoint;

    HttpRequests(ConnectorOptions options, Supplier<Optional<Revision>> revision) {
        this.options = options;
        this.revision = revision;
    }

    /** Returns whether client and server have agreed on a revision. */
    boolean isAgreed() {
        return revision.get().isPresent();
    }

    /**
     * Creates a POST of one message.
     *
     * @param headers of this message alone, see {@link #checkOwn}
     * @param mirrored headers that repeat values of a request without a session; null for a message
     *     that belongs to a session, or begins one
     */
    OutgoingRequest post(
            JsonRpcMessage message,
            Map<String, String> headers,
            @Nullable Map<String, String> mirrored) {
        HeaderFields fields = fields(headers);
        fields.set("Content-Type", MediaTypes.JSON);
        fields.set("Accept", MediaTypes.JSON + ", " + MediaTypes.EVENTS);
        if (mirrored != null) {
            mirrored.forEach(fields::set);
        } else if (isInitialize(message)) {
            sessionGone = false;
            sessionId = null; // a new session, agreed on in the body alone
        } else {
            inSession(fields);
        }
        return new OutgoingRequest("POST", uri(), fields, message.toBytes());
    }

    /**
     * Creates a GET that opens a stream, or resumes the one of this event, which a GET or a POST
     * has opened.
     *
     * @param headers of the message whose stream it is
     */
    OutgoingRequest get(Optional<String> lastEventId, Map<String, String> headers) {
        HeaderFields fields = fields(headers);
        fields.set("Accept", MediaTypes.EVENTS);
        lastEventId.ifPresent(id -> fields.set("Last-Event-ID", id));
        return new OutgoingRequest("GET", uri(), inSession(fields), null);
    }

    /** The DELETE that ends the session; empty where there is none. */
    Optional<OutgoingRequest> delete() {
        return sessionId == null || sessionGone
                ? Optional.empty()
                : Optional.of(
                        new OutgoingRequest("DELETE", uri(), inSession(fields(Map.of())), null));
    }

    /**
     * Keeps the session id that came with the answer to {@code initialize}, where one did. An empty
     * one is none: servers without sessions send it.
     *
     * @throws ConnectionException if it has characters that none may have
     */
    void adoptSession(Answer initialized) {
        String issued = initialized.header(SESSION_ID).filter(id -> !id.isEmpty()).orElse(null);
        if (issued != null && !issued.chars().allMatch(c -> c > ' ' && c <= '~')) {
            throw new ConnectionException(
                    "a session id must be visible ASCII characters, but that of "
                            + options.place()
                            + " is not");
        }
        sessionId = issued;
    }

    /**
     * Marks the session as gone at the server, so that there is nothing to delete. Later messages
     * still carry its id, and get a 404 from the server.
     */
    void sessionIsGone() {
        sessionGone = true;
    }

    /** Sets the URL to which messages are posted from now on, as in HTTP+SSE. */
    void useLegacy(URI endpoint) {
        legacyEndpoint = endpoint;
    }

    /** Returns whether the answers to POSTs come over another stream. */
    boolean isLegacy() {
        return legacyEndpoint != null;
    }

    /** The session that a request names. */
    static Optional<String> session(OutgoingRequest request) {
        return request.headers().first(SESSION_ID);
    }

    /** The session that requests name now. */
    Optional<String> session() {
        return isLegacy() ? Optional.empty() : Optional.ofNullable(sessionId);
    }

    /** Returns whether only the protocol sets this header. */
    static boolean isReserved(String name) {
        return RESERVED.contains(name.toLowerCase(Locale.ROOT));
    }

    /**
     * Checks the headers of one message.
     *
     * @throws IllegalArgumentException if one of them belongs to the protocol, to the connection,
     *     or to the login of this client
     */
    void checkOwn(Map<String, String> headers) {
        for (String name : headers.keySet()) {
            if (isReserved(name) || isOfTheConnection(name)) {
                throw new IllegalArgumentException(
                        "The header " + name + " is set by the protocol");
            }
            if (options.authorization != null && name.equalsIgnoreCase("authorization")) {
                throw new IllegalArgumentException(
                        "The header " + name + " is set by the authorization of this client");
            }
        }
    }

    static boolean isInitialize(JsonRpcMessage message) {
        return message instanceof JsonRpcRequest request && request.method().equals("initialize");
    }

    private static boolean isOfTheConnection(String name) {
        return OF_THE_CONNECTION.contains(name.toLowerCase(Locale.ROOT));
    }

    /**
     * Sets a header that the application has chosen.
     *
     * @throws IllegalArgumentException if it cannot be sent, or belongs to the connection
     */
    static void setChosen(HeaderFields fields, String name, String value) {
        if (isOfTheConnection(name)) {
            throw new IllegalArgumentException("the header " + name + " is set by the connection");
        }
        fields.set(name, value);
    }

    private URI uri() {
        URI legacy = legacyEndpoint;
        return legacy == null ? options.endpoint : legacy;
    }

    /**
     * @param own of one message
     */
    private HeaderFields fields(Map<String, String> own) {
        HeaderFields fields = new HeaderFields();
        options.headers.forEach(fields::set);
        options.requestHeaders
                .get()
                .forEach(
                        (name, value) -> {
                            if (!isReserved(name)) {
                                setChosen(fields, name, value);
                            }
                        });
        own.forEach(fields::set);
        return fields;
    }

    /** Adds the headers of every request after {@code initialize}, but not in HTTP+SSE. */
    private HeaderFields inSession(HeaderFields fields) {
        if (isLegacy()) {
            return fields;
        }
        String id = sessionId;
        if (id != null) {
            fields.set(SESSION_ID, id);
        }
        revision.get().ifPresent(agreed -> fields.set("MCP-Protocol-Version", agreed.date()));
        return fields;
    }
}
