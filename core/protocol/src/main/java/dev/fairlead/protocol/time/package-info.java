/** Clock and timers. Internal: exported to the modules of this library only. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol.time;
