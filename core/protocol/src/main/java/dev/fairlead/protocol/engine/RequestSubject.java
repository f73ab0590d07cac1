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
        if (method.equals(Methods.CALL_TOOL.name())) {
            return of(method, " of tool ", params, "name");
        }
        if (method.equals(Methods.GET_PROMPT.name())) {
            return of(method, " of prompt ", params, "name");
        }
        return method.startsWith("resources/") ? of(method, " of ", params, "uri") : method;
    }

    private static String of(String method, String noun, @Nullable RawJson params, String member) {
        RawJson named = params == null ? null : params.member(member);
        String name = named == null ? null : named.string();
        return name == null ? method : method + noun + Printable.excerpt(name);
    }
}
