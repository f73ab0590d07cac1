/**
 * Types that all messages share: parameters, results, metadata, progress and cancellation.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic Base protocol
 */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol.base;
