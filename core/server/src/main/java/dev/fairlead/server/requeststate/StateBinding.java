package dev.fairlead.server.requeststate;

import dev.fairlead.json.JsonWriter;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.platform.Sha256;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * The request that a state belongs to. The order of members in the arguments and the spelling of
 * numbers do not matter.
 *
 * @param audience the server
 * @param caller the principal; for an anonymous one nothing is bound
 * @param method such as {@code tools/call}
 * @param target the name of the tool or prompt, or the URI of the resource
 * @param arguments an object
 */
public record StateBinding(
        String audience, Caller caller, String method, String target, RawJson arguments) {
    /** Returns the binding of a request by its parameters. */
    public static StateBinding of(
            String audience, Caller caller, String method, @Nullable RawJson params) {
        String target = method.equals(Methods.READ_RESOURCE.name()) ? "uri" : "name";
        RawJson name = params == null ? null : params.member(target);
        RawJson arguments = params == null ? null : params.member("arguments");
        return new StateBinding(
                audience,
                caller,
                method,
                name == null ? "" : Objects.requireNonNullElse(name.string(), ""),
                arguments != null && arguments.isObject() ? arguments : RawJson.EMPTY_OBJECT);
    }

    /** Returns the binding of a state whose call waits at a node; 0 names none. */
    public StateBinding at(long node) {
        return node == 0
                ? this
                : new StateBinding(audience + "\0" + node, caller, method, target, arguments);
    }

    /** Returns the SHA-256 of all of it. */
    byte[] digest() {
        boolean anonymous = caller.isAnonymous();
        JsonWriter writer = new JsonWriter().beginArray().string(audience);
        writer.string(anonymous ? "" : caller.issuer());
        writer.string(anonymous ? "" : caller.subject());
        writer.string(caller.client().orElse("")).string(method).string(target);
        return Sha256.bytes(writer.canonical(arguments.value()).endArray().toBytes());
    }
}
