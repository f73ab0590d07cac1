package dev.fairlead.protocol.engine;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Printable;

import org.jspecify.annotations.Nullable;

/** Names requests in log entries. */
public final class RequestSubject {
    private RequestSubject() {}

    /**
     * Returns the method of a request and, where it names one, the tool, prompt or resource; safe
     * to log.
     */
    public static String of(String method, @Nullable RawJson params) {
        String target = target(method, params);
        return target == null ? method : method + noun(method) + Printable.excerpt(target);
    }

    private static String noun(String method) {
        if (method.equals(Methods.CALL_TOOL.name())) {
            return " of tool ";
        }
        return method.equals(Methods.GET_PROMPT.name()) ? " of prompt " : " of ";
    }

    /** Returns the tool, prompt or resource of a request, as it was sent; null if it names none. */
    public static @Nullable String target(String method, @Nullable RawJson params) {
        if (params == null) {
            return null;
        }
        boolean hasName =
                method.equals(Methods.CALL_TOOL.name()) || method.equals(Methods.GET_PROMPT.name());
        if (!hasName && !method.startsWith("resources/")) {
            return null;
        }
        RawJson named = params.member(hasName ? "name" : "uri");
        return named == null ? null : named.string();
    }
}
