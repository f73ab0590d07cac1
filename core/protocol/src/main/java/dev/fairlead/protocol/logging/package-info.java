/**
 * Log messages.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging Logging
 */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol.logging;
