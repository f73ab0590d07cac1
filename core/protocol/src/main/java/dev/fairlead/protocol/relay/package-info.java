/**
 * Short handlers run on the thread that reads, and long ones lose it: a {@link
 * dev.fairlead.protocol.relay.Relay} for each reading, watched by one {@link
 * dev.fairlead.protocol.relay.Watchdog}.
 */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol.relay;
