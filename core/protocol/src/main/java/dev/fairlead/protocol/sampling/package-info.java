/**
 * Sampling from the model of a client.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/client/sampling Sampling
 */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol.sampling;
