/**
 * Runs short handlers on the thread that reads, and replaces that thread during long ones: a {@link
 * dev.fairlead.protocol.relay.Relay} for each reading, watched by one {@link
 * dev.fairlead.protocol.relay.Watchdog}.
 */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol.relay;
