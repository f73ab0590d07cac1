package dev.fairlead.protocol.mrtr;

import dev.fairlead.json.JsonObject;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * One thing that a server needs from a client before it can complete a request: what was a request
 * of the server before revision 2026-07-28.
 *
 * @param method {@code elicitation/create}, {@code sampling/createMessage} or {@code roots/list}
 * @param params the parameters of the method; null where there are none
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr Multi
 *     round-trip requests
 */
public record InputRequest(String method, @Nullable JsonObject params) {
    public InputRequest {
        Objects.requireNonNull(method, "method");
    }
}
