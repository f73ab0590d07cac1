/**
 * Streamable HTTP: where a server can be reached. {@link dev.fairlead.http.Http} is the way in; a
 * server is served on an {@link dev.fairlead.http.HttpListener}, or mounted in another HTTP server
 * as an {@link dev.fairlead.http.HttpEndpoint}; a client reaches it by {@code Http.to}.
 */
@NullMarked
package dev.fairlead.http;

import org.jspecify.annotations.NullMarked;
