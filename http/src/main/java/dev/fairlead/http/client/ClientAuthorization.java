package dev.fairlead.http.client;

import java.net.URI;

/**
 * What authorizes the requests of clients to servers over HTTP. Safe for use by several threads and
 * for several connections.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization Authorization
 */
@FunctionalInterface
public interface ClientAuthorization {
    /**
     * Begins with one HTTP request of the protocol. Does not block.
     *
     * @param endpoint the MCP endpoint that the connection was made to
     * @param method {@code POST}, {@code GET} or {@code DELETE}
     * @param url where the request goes to: the endpoint, or in HTTP+SSE a place of the same origin
     */
    RequestAuthorization request(URI endpoint, String method, URI url);
}
