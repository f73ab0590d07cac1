package dev.fairlead.protocol;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcException;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reports that the caller lacks scopes that the request requires. A server throws it for features
 * that require scopes, and a handler may; a client throws it if a login could not help.
 *
 * <p>The error has the code 403 and {@code data.requiredScopes}, which are Fairlead's own. Over
 * HTTP, where it is the whole answer, the status is 403 as well, with a challenge.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization Authorization
 */
public final class InsufficientScopeException extends JsonRpcException {
    private static final long serialVersionUID = 1;

    /** The error code, outside of the range that JSON-RPC reserves. */
    private static final int CODE = 403;

    private static final String MEMBER = "requiredScopes";

    /** A scope by RFC 6749, 3.3. */
    private static final Pattern SCOPE = Pattern.compile("[!#-\\[\\]-~]+");

    private final transient Set<String> requiredScopes;

    /**
     * @param requiredScopes all that the request requires, also those that the caller has
     * @throws IllegalArgumentException if there are none, or one is no {@linkplain #requireScope
     *     scope}
     */
    public InsufficientScopeException(Set<String> requiredScopes) {
        this("This requires the scopes: " + String.join(" ", requiredScopes), requiredScopes);
    }

    /** Creates an exception as the other constructor does, with a message of the caller. */
    public InsufficientScopeException(String message, Set<String> requiredScopes) {
        this(new JsonRpcError(CODE, message, data(requiredScopes)), requiredScopes, null);
    }

    private InsufficientScopeException(
            JsonRpcError error, Set<String> requiredScopes, @Nullable Throwable cause) {
        super(error, cause);
        this.requiredScopes = Collections.unmodifiableSet(new LinkedHashSet<>(requiredScopes));
    }

    private static JsonValue data(Set<String> scopes) {
        if (scopes.isEmpty()) {
            throw new IllegalArgumentException("required scopes must not be empty");
        }
        scopes.forEach(InsufficientScopeException::requireScope);
        return JsonObject.of(MEMBER, new JsonArray(scopes.stream().map(JsonValue::of).toList()));
    }

    /**
     * Checks a scope, and returns it.
     *
     * @throws IllegalArgumentException if it is empty, or has a space, quotes, a backslash or
     *     anything but ASCII in it
     */
    public static String requireScope(String scope) {
        if (!SCOPE.matcher(scope).matches()) {
            throw new IllegalArgumentException(
                    "a scope must be printable ASCII without spaces, \" and \\ but was " + scope);
        }
        return scope;
    }

    /** Returns the exception for an error that a peer sent; empty for other errors. */
    public static Optional<InsufficientScopeException> of(JsonRpcError error) {
        return of(error, null);
    }

    /**
     * Returns the exception of {@link #of(JsonRpcError)}, with the answer of the peer as the cause.
     */
    public static Optional<InsufficientScopeException> of(JsonRpcException answer) {
        return of(answer.error(), answer);
    }

    private static Optional<InsufficientScopeException> of(
            JsonRpcError error, @Nullable JsonRpcException answer) {
        if (error.code() != CODE
                || !(error.data() instanceof JsonObject data)
                || !(data.get(MEMBER) instanceof JsonArray members)) {
            return Optional.empty();
        }
        Set<String> scopes = new LinkedHashSet<>();
        for (JsonValue member : members) {
            if (!(member instanceof JsonString scope) || !SCOPE.matcher(scope.value()).matches()) {
                return Optional.empty();
            }
            scopes.add(scope.value());
        }
        return scopes.isEmpty()
                ? Optional.empty()
                : Optional.of(new InsufficientScopeException(error, scopes, answer));
    }

    /** Returns all scopes that the request requires, in the order in which they were given. */
    public Set<String> requiredScopes() {
        return requiredScopes;
    }
}
