/**
 * Requests that take several round trips, since the server needs input of the client.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr Multi
 *     round-trip requests
 */
@NullMarked
package dev.fairlead.protocol.mrtr;

import org.jspecify.annotations.NullMarked;
