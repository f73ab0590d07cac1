/**
 * The HTTP headers that repeat members of a request.
 *
 * @spec
 *     https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#standard-request-headers
 *     Standard request headers
 */
@NullMarked
package dev.fairlead.protocol.headers;

import org.jspecify.annotations.NullMarked;
