/**
 * Limits that callers share, and the plan of the heap. Internal: exported to the modules of this
 * library only.
 */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol.limits;
