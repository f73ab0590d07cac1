package dev.fairlead.protocol.tools;

import dev.fairlead.jsonrpc.CallException;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * A tool failed. Its author throws this to tell the model why; its caller catches it when the
 * result says so ({@code isError}).
 */
public final class ToolFailedException extends CallException {
    private static final long serialVersionUID = 1;

    private final transient CallToolResult result;

    /** A failure that the model is told in these words. */
    public ToolFailedException(String message) {
        this(message, (Throwable) null);
    }

    /** A failure that the model is told in these words; the cause stays here. */
    public ToolFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
        this.result = CallToolResult.failure(message);
    }

    /** A failure as the result tells it; the message is its text. */
    public ToolFailedException(CallToolResult result) {
        super(result.text().isEmpty() ? "The tool failed" : result.text(), null);
        this.result = Objects.requireNonNull(result, "result").withIsError(true);
    }

    /** The whole result. */
    public CallToolResult result() {
        return result;
    }
}
