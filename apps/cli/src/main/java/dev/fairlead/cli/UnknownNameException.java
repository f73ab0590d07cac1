package dev.fairlead.cli;

import dev.fairlead.cli.view.Suggestion;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;

import java.util.List;
import java.util.Optional;

/** The server refuses a name, and lists a similar one. The error itself stays the server's. */
final class UnknownNameException extends JsonRpcException {
    private static final long serialVersionUID = 1;

    private final String suggestion;

    private UnknownNameException(JsonRpcException refusal, String suggestion) {
        super(refusal.error(), refusal);
        this.suggestion = suggestion;
    }

    /** A question for people. */
    String suggestion() {
        return suggestion;
    }

    /** Requests a list of the server. */
    @FunctionalInterface
    interface ListRequest {
        JsonObject list() throws InterruptedException;
    }

    /**
     * Looks the name up in a list of the server, if the refusal may be about the name.
     *
     * @param request sent only if the list is needed
     * @param member of its result that contains the items
     * @return the exception to throw: the refusal, with a suggestion if there is one
     */
    static JsonRpcException of(
            JsonRpcException refusal, ListRequest request, String member, String name)
            throws InterruptedException {
        if (refusal.code() != ErrorCode.INVALID_PARAMS
                && refusal.code() != ErrorCode.METHOD_NOT_FOUND) {
            return refusal;
        }
        List<String> names;
        try {
            names = names(request.list(), member);
        } catch (CallException e) {
            return refusal; // which is the failure that matters
        }
        if (names.contains(name)) {
            return refusal;
        }
        String suggestion = Suggestion.question(name, names);
        return suggestion.isEmpty() ? refusal : new UnknownNameException(refusal, suggestion);
    }

    private static List<String> names(JsonObject list, String member) {
        return list.array(member).elements().stream().flatMap(item -> name(item).stream()).toList();
    }

    private static Optional<String> name(JsonValue item) {
        return item instanceof JsonObject object && object.get("name") instanceof JsonString name
                ? Optional.of(name.value())
                : Optional.empty();
    }
}
