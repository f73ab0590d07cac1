package dev.fairlead.protocol.base;

/** The error codes that MCP adds to those of {@link dev.fairlead.jsonrpc.ErrorCode}. */
public final class McpErrorCode {
    /** The resource is unknown; {@code data.uri} names it. */
    public static final int RESOURCE_NOT_FOUND = -32002;

    /**
     * The person must visit pages first; {@code data.elicitations} lists them. From revision
     * 2025-11-25.
     */
    public static final int URL_ELICITATION_REQUIRED = -32042;

    /** The person rejected a sampling request. */
    public static final int USER_REJECTED = -1;

    /**
     * A limit of the receiver is reached, such as that of concurrent requests; the message names
     * it. Taken from the range that JSON-RPC leaves to implementations.
     */
    public static final int LIMIT_EXCEEDED = -32000;

    /**
     * A header of the HTTP request is missing or differs from the body. From revision 2026-07-28.
     */
    public static final int HEADER_MISMATCH = -32020;

    /**
     * The request needs a capability that its client did not declare; {@code
     * data.requiredCapabilities} names it. From revision 2026-07-28.
     */
    public static final int MISSING_CLIENT_CAPABILITY = -32021;

    /**
     * The revision of the request is not served; {@code data.supported} lists the served ones, and
     * {@code data.requested} is that of the request. From revision 2026-07-28.
     */
    public static final int UNSUPPORTED_PROTOCOL_VERSION = -32022;

    private McpErrorCode() {}
}
