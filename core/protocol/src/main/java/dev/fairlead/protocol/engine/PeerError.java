package dev.fairlead.protocol.engine;

import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Printable;

import java.util.Optional;
import java.util.Set;

/**
 * The error with which a peer answered a request of a handler. It is the failure of that request
 * and not of the one that the handler answers: there, a code such as {@code -32601} would mean that
 * the tool does not exist. Its message is bounded, and its data is left out.
 */
public final class PeerError {
    private static final Set<String> QUESTIONS =
            Set.of(Methods.ELICIT.name(), Methods.CREATE_MESSAGE.name(), Methods.LIST_ROOTS.name());

    private PeerError() {}

    /** Returns the text about it; empty if the error is one of this side. */
    public static Optional<String> text(JsonRpcException error) {
        return error.answeredRequest().map(method -> text(method, error));
    }

    private static String text(String method, JsonRpcException error) {
        return (QUESTIONS.contains(method)
                        ? "The client answered " + method
                        : "The request " + method + " was answered")
                + " with an error: "
                + Printable.excerpt(error.getMessage());
    }

    /** Returns the error for a request whose handler threw this exception. */
    public static JsonRpcError response(JsonRpcException thrown) {
        return text(thrown)
                .map(text -> new JsonRpcError(ErrorCode.INTERNAL_ERROR, text))
                .orElse(thrown.error());
    }
}
