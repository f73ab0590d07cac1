package dev.fairlead.protocol.tools;

import dev.fairlead.jsonrpc.CallException;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * A tool failed. Its handler throws this with a text for the model; its caller catches it when the
 * result has {@code isError}.
 */
public final class ToolFailedException extends CallException {
    private static final long serialVersionUID = 1;

    private final transient CallToolResult result;

    /** A failure with this text for the model. */
    public ToolFailedException(String message) {
        this(message, (Throwable) null);
    }

    /** A failure with this text for the model; the cause is not sent. */
    public ToolFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
        this.result = CallToolResult.failure(message);
    }

    /** A failure as the result reports it; the message is its text. */
    public ToolFailedException(CallToolResult result) {
        super(result.text().isEmpty() ? "The tool failed" : result.text(), null);
        this.result = Objects.requireNonNull(result, "result").withIsError(true);
    }

    /** The whole result. */
    public CallToolResult result() {
        return result;
    }
}
