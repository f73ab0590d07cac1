/**
 * Wire faces: how each revision writes and reads the records of the protocol. Internal: exported to
 * the modules of this library only.
 *
 * <p>The records are shaped like the newest revision. A face lists the methods of its revision, and
 * converts sent messages to its forms. Received messages may be newer than the revision.
 */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol.face;
