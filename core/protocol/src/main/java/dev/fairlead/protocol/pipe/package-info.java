/**
 * Byte pipes on the session contract: any {@link dev.fairlead.jsonrpc.Transport}, which carries
 * messages one after the other in both directions, becomes an {@link
 * dev.fairlead.protocol.Endpoint} for a server or a {@link dev.fairlead.protocol.Remote} for a
 * client here.
 */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol.pipe;
