package dev.fairlead.jsonrpc;

/** The error codes of JSON-RPC 2.0. Those that MCP adds are listed where they are used. */
public final class ErrorCode {
    /** The text is not JSON. */
    public static final int PARSE_ERROR = -32700;

    /** The JSON is not a JSON-RPC message, or not one that is allowed here and now. */
    public static final int INVALID_REQUEST = -32600;

    /** The method is unknown, or belongs to a capability that this side did not declare. */
    public static final int METHOD_NOT_FOUND = -32601;

    /** The parameters do not fit the method, or name something that does not exist. */
    public static final int INVALID_PARAMS = -32602;

    /** The receiver failed. */
    public static final int INTERNAL_ERROR = -32603;

    private ErrorCode() {}
}
