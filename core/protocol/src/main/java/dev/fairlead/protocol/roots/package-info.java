/**
 * Roots.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/client/roots Roots
 */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol.roots;
