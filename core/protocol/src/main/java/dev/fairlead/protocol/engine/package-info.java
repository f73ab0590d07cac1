/** The connection engine. Internal: exported to the modules of this library only. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol.engine;
