/**
 * Support for tests of servers, clients and transports: {@link dev.fairlead.testing.McpTest} moves
 * the clock of a server and its clients, {@link dev.fairlead.testing.RawPeer} sends any text and
 * expects exact answers, {@link dev.fairlead.testing.CuttingProxy} is a bad network, {@link
 * dev.fairlead.testing.TransportContract} holds any transport to its contract.
 */
@NullMarked
package dev.fairlead.testing;

import org.jspecify.annotations.NullMarked;
