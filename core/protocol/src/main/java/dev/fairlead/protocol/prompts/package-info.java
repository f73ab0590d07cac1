/**
 * Prompts.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/server/prompts Prompts
 */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol.prompts;
