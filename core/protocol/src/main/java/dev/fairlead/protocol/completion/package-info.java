/**
 * Completion of arguments.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/completion
 *     Completion
 */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol.completion;
