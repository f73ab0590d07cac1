/**
 * Wire faces: how each revision writes and reads the records of the protocol. Internal: exported to
 * the modules of this library only.
 *
 * <p>The records are shaped like the newest revision. A face knows which methods its revision has,
 * and turns what the revision lacks into what it has when something is sent. What is received may
 * be newer than the revision.
 */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol.face;
