/**
 * Resources and resource templates.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/server/resources Resources
 */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol.resources;
