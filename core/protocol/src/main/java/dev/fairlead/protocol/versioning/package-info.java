/**
 * Versions without a handshake: what each request says of its client, and what a server says of
 * itself.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning Versioning
 */
@NullMarked
package dev.fairlead.protocol.versioning;

import org.jspecify.annotations.NullMarked;
