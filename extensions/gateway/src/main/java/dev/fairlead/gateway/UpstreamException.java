package dev.fairlead.gateway;

import dev.fairlead.client.group.ServerUnavailableException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;

/**
 * A server behind the gateway gave no answer that can be passed on. Clients get an error with the
 * name of the server in its message and in {@code data.server}.
 */
final class UpstreamException extends CallException {
    private static final long serialVersionUID = 1;
    private static final String SERVER = "server";

    private final String server;

    /**
     * @param server its name in the gateway
     */
    UpstreamException(String server, CallException cause) {
        super(cause.getMessage(), cause);
        this.server = server;
    }

    /** Returns the error for the client. */
    JsonRpcException error() {
        return error(server, "The server %s failed: %s".formatted(server, getMessage()));
    }

    private static JsonRpcException error(String server, String message) {
        return new JsonRpcException(
                ErrorCode.INTERNAL_ERROR, message, JsonObject.of(SERVER, server));
    }

    /** Returns the error for a server that cannot be reached. */
    static JsonRpcException unavailable(String server) {
        return error(server, "The server " + server + " is not available");
    }

    /** Returns the error for a server that does not stop asking. */
    static JsonRpcException tooManyRounds(String server) {
        return error(
                server,
                "The server %s asked the client in more than %s rounds"
                        .formatted(server, PassedRound.MAX));
    }

    /** Returns the error for a retry that a server did not ask for. */
    static JsonRpcException otherServer(String server) {
        return new OtherServerException(server);
    }

    private static final class OtherServerException extends JsonRpcException {
        private static final long serialVersionUID = 1;

        private final String asker;

        OtherServerException(String asker) {
            super(
                    ErrorCode.INVALID_PARAMS,
                    "The requestState belongs to the server %s, which does not have this any more"
                            .formatted(asker),
                    JsonObject.of(SERVER, asker));
            this.asker = asker;
        }
    }

    /**
     * Returns the failure of the server that a retry belongs to, where others that may have the
     * resource were also to be asked, and one of these failures hides it.
     */
    static CallException ofAsker(CallException failure) {
        if (failure instanceof OtherServerException other) {
            for (Throwable hidden : failure.getSuppressed()) {
                if (hidden instanceof CallException candidate) {
                    CallException found = ofAsker(candidate);
                    if (isOf(found, other.asker)) {
                        return found;
                    }
                }
            }
        }
        return failure;
    }

    private static boolean isOf(CallException failure, String asker) {
        return switch (failure) {
            case OtherServerException other -> false;
            case ServerUnavailableException gone -> gone.server().equals(asker);
            default -> true;
        };
    }

    /** Returns the error for a retry that a server refuses, with the members of its own error. */
    static JsonRpcException refusedRetry(String server, JsonRpcException refusal) {
        JsonObject data = refusal.data() instanceof JsonObject given ? given : JsonObject.EMPTY;
        return new JsonRpcException(
                refusal.code(),
                "The server %s refused the retry: %s".formatted(server, refusal.getMessage()),
                data.has(SERVER) ? data : data.with(SERVER, server));
    }

    /**
     * Returns whether the error of a server shows that it cannot continue a request with this
     * retry.
     */
    static boolean refusesRetry(JsonRpcException refusal) {
        return refusal.code() == ErrorCode.INVALID_PARAMS
                || refusal.code() == ErrorCode.INTERNAL_ERROR;
    }
}
