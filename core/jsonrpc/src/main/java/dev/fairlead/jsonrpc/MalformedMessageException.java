package dev.fairlead.jsonrpc;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/** A text is not a JSON-RPC message; its error is the answer to the sender. */
public final class MalformedMessageException extends JsonRpcException {
    private static final long serialVersionUID = 1;

    private final transient @Nullable RequestId id;
    private final boolean answer;
    private final @Nullable String text;

    MalformedMessageException(
            int code,
            String message,
            @Nullable RequestId id,
            boolean answer,
            @Nullable Throwable cause) {
        this(new JsonRpcError(code, message), id, answer, null, cause);
    }

    private MalformedMessageException(
            JsonRpcError error,
            @Nullable RequestId id,
            boolean answer,
            @Nullable String text,
            @Nullable Throwable cause) {
        super(error, cause);
        this.id = id;
        this.answer = answer;
        this.text = text;
    }

    /**
     * Creates the failure of a text that is longer than this side takes, or was cut; for
     * transports.
     *
     * @param reason the reason, which is sent to the sender
     */
    public static MalformedMessageException invalidRequest(String reason) {
        return new MalformedMessageException(
                ErrorCode.INVALID_REQUEST, "Invalid request: " + reason, null, false, null);
    }

    /**
     * Returns a copy with the text that was received, for the log of this side; for transports.
     *
     * @param received its start is enough; the sender never gets it back
     */
    public MalformedMessageException withText(String received) {
        return new MalformedMessageException(error(), id, answer, received, this);
    }

    /**
     * The start of the text that was received, with all its characters; empty if the transport does
     * not keep it.
     */
    public Optional<String> text() {
        return Optional.ofNullable(text);
    }

    /**
     * The answer to the sender: an error response, with the id of the request where that could be
     * read. A text that was meant as a response is answered without its id, which belongs to a
     * request of this side.
     */
    public JsonRpcErrorResponse response() {
        return new JsonRpcErrorResponse(answer ? null : id, error());
    }

    /** The request of this side that the text was meant to answer, where that could be read. */
    public Optional<RequestId> answered() {
        return answer ? Optional.ofNullable(id) : Optional.empty();
    }
}
