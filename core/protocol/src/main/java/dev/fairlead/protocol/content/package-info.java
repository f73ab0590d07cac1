/**
 * Content blocks of results, prompts and samples.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-result Content
 */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol.content;
