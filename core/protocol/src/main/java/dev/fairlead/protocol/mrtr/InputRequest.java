package dev.fairlead.protocol.mrtr;

import dev.fairlead.json.JsonObject;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * A question of a server to a client, needed to complete a request. Before revision 2026-07-28 it
 * was a request of the server.
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
