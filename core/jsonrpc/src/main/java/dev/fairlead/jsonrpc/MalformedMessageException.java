package dev.fairlead.jsonrpc;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/** A text is not a JSON-RPC message; its error is the answer to the sender. */
public final class MalformedMessageException extends JsonRpcException {
    private static final long serialVersionUID = 1;

    private final transient @Nullable RequestId refused;
    private final transient @Nullable RequestId answered;
    private final @Nullable String text;

    /**
     * The requests that a malformed text names.
     *
     * @param refused the request of the sender; null if it is none, or unknown
     * @param answered the request of this side that it was meant to answer; null likewise
     */
    record Ids(@Nullable RequestId refused, @Nullable RequestId answered) {
        static final Ids NONE = new Ids(null, null);
    }

    MalformedMessageException(int code, String message, Ids ids, @Nullable Throwable cause) {
        this(new JsonRpcError(code, message), ids, null, cause);
    }

    private MalformedMessageException(
            JsonRpcError error, Ids ids, @Nullable String text, @Nullable Throwable cause) {
        super(error, cause);
        refused = ids.refused();
        answered = ids.answered();
        this.text = text;
    }

    /**
     * Creates the failure of a message that is not allowed where it came; for transports.
     *
     * @param reason the reason, which is sent to the sender
     */
    public static MalformedMessageException invalidRequest(String reason) {
        return new MalformedMessageException(
                ErrorCode.INVALID_REQUEST, "Invalid request: " + reason, Ids.NONE, null);
    }

    /**
     * Creates the failure, with {@code -32600}, of a text that is longer than this side takes; for
     * transports. The request that it is, or answers, is known if its id stands near the beginning,
     * as it nearly always does.
     *
     * @param beginning the beginning of the text, in UTF-8; some thousand bytes are enough
     * @param maxBytes the most bytes that this side takes
     */
    public static MalformedMessageException tooLong(byte[] beginning, int maxBytes) {
        return new MalformedMessageException(
                ErrorCode.INVALID_REQUEST,
                "Invalid request: a message may have " + maxBytes + " bytes",
                new MessageParser(beginning).idsOfBeginning(),
                null);
    }

    /**
     * Returns a copy with the text that was received, for the log of this side; for transports.
     *
     * @param received its start is enough; the sender never gets it back
     */
    public MalformedMessageException withText(String received) {
        return new MalformedMessageException(error(), new Ids(refused, answered), received, this);
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
        return new JsonRpcErrorResponse(refused, error());
    }

    /**
     * The request of this side that the text was meant to answer, where that could be read; also
     * where its JSON is broken behind the id.
     */
    public Optional<RequestId> answered() {
        return Optional.ofNullable(answered);
    }
}
