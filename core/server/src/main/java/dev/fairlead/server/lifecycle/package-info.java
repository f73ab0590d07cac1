/** The start of a session: the handshake, its result, and the bytes that the session may keep. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.server.lifecycle;
