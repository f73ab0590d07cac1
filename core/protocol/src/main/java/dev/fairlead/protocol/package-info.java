/**
 * The Model Context Protocol: the records of its schema, its revisions, and the contracts that join
 * transports with servers and clients.
 *
 * <p>A transport brings peers to a {@link dev.fairlead.protocol.SessionHost}: each gets a {@link
 * dev.fairlead.protocol.Session}, which receives every message with its {@link
 * dev.fairlead.protocol.Exchange} and has a {@link dev.fairlead.protocol.SessionContext} to send
 * messages that belong to no request. A client connects to a {@link dev.fairlead.protocol.Remote};
 * a server is served at an {@link dev.fairlead.protocol.Endpoint}.
 */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol;
