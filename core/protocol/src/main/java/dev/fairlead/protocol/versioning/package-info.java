/**
 * Versions without a handshake: the description of the client in each request, and that of a
 * server.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning Versioning
 */
@NullMarked
package dev.fairlead.protocol.versioning;

import org.jspecify.annotations.NullMarked;
