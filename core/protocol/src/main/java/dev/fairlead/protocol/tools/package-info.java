/**
 * Tools.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/server/tools Tools
 */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol.tools;
