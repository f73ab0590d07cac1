package dev.fairlead.protocol.tools;

import dev.fairlead.jsonrpc.CallException;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * Reports the failure of a tool. A handler throws it with a text for the model; a caller catches it
 * when the result has {@code isError}.
 */
public final class ToolFailedException extends CallException {
    private static final long serialVersionUID = 1;

    private final transient CallToolResult result;

    /** Creates a failure with this text for the model. */
    public ToolFailedException(String message) {
        this(message, (Throwable) null);
    }

    /** Creates a failure with this text for the model; the cause is not sent. */
    public ToolFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
        this.result = CallToolResult.failure(message);
    }

    /** Creates the failure that a result reports; the message is its text. */
    public ToolFailedException(CallToolResult result) {
        super(result.text().isEmpty() ? "The tool failed" : result.text(), null);
        this.result = Objects.requireNonNull(result, "result").withIsError(true);
    }

    /** Returns the whole result. */
    public CallToolResult result() {
        return result;
    }
}
