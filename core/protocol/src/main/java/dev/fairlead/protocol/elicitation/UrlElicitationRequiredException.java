package dev.fairlead.protocol.elicitation;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.base.McpErrorCode;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/**
 * Reports that the person must visit some pages before the request can be answered. A handler
 * throws it; a caller catches it, leads the person there and sends the request again. Only for
 * peers of revision 2025-11-25 that declared {@code elicitation.url}.
 */
public final class UrlElicitationRequiredException extends JsonRpcException {
    private static final long serialVersionUID = 1;

    private static final String MESSAGE = "This request needs an elicitation by URL first";

    private final transient List<ElicitUrlRequest> elicitations;

    /**
     * @param elicitations every page that must be visited, each with its id
     * @throws IllegalArgumentException if there are none
     */
    public UrlElicitationRequiredException(List<ElicitUrlRequest> elicitations) {
        this(MESSAGE, elicitations);
    }

    /** Creates an exception as the other constructor does, with a message of the caller. */
    public UrlElicitationRequiredException(String message, List<ElicitUrlRequest> elicitations) {
        this(
                new JsonRpcError(
                        McpErrorCode.URL_ELICITATION_REQUIRED, message, data(elicitations)),
                elicitations,
                null);
    }

    private UrlElicitationRequiredException(
            JsonRpcError error, List<ElicitUrlRequest> elicitations, @Nullable Throwable cause) {
        super(error, cause);
        this.elicitations = List.copyOf(elicitations);
    }

    private static JsonValue data(List<ElicitUrlRequest> elicitations) {
        if (elicitations.isEmpty()) {
            throw new IllegalArgumentException("elicitations must not be empty");
        }
        return Codec.DATA.toValue(new ElicitationsRequired(elicitations));
    }

    /**
     * Returns the exception for an error that a peer sent; empty for other errors, or unreadable
     * data.
     */
    public static Optional<UrlElicitationRequiredException> of(JsonRpcError error) {
        return of(error, null);
    }

    /**
     * Returns the exception of {@link #of(JsonRpcError)}, with the answer of the peer as the cause.
     */
    public static Optional<UrlElicitationRequiredException> of(JsonRpcException answer) {
        return of(answer.error(), answer);
    }

    private static Optional<UrlElicitationRequiredException> of(
            JsonRpcError error, @Nullable JsonRpcException answer) {
        JsonValue data = error.data();
        if (error.code() != McpErrorCode.URL_ELICITATION_REQUIRED || data == null) {
            return Optional.empty();
        }
        try {
            List<ElicitUrlRequest> pages =
                    Codec.DATA.tolerant((first, all) -> {}).read(data).elicitations();
            return pages.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new UrlElicitationRequiredException(error, pages, answer));
        } catch (JsonBindingException | JsonException e) {
            return Optional.empty(); // it stays the plain error that it is
        }
    }

    /** Returns the pages to be visited. */
    public List<ElicitUrlRequest> elicitations() {
        return elicitations;
    }

    private static final class Codec {
        static final JsonCodec<ElicitationsRequired> DATA =
                JsonCodec.of(ElicitationsRequired.class);
    }
}
