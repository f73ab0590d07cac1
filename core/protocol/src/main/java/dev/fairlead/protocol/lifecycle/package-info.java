/**
 * The handshake and the capabilities of both sides.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle Lifecycle
 */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol.lifecycle;
