package dev.fairlead.http.client;

import java.net.URI;

/**
 * Authorizes the requests of clients to servers over HTTP. Implementations are safe for use by
 * several threads and connections.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization Authorization
 */
@FunctionalInterface
public interface ClientAuthorization {
    /**
     * Creates the authorization of one HTTP request. Does not block.
     *
     * @param endpoint the MCP endpoint that the connection was made to
     * @param method {@code POST}, {@code GET} or {@code DELETE}
     * @param url that the request is sent to: the endpoint, also with another slash at its end
     *     where the server redirects to that, or with HTTP+SSE a URL of the same origin
     */
    RequestAuthorization request(URI endpoint, String method, URI url);
}
