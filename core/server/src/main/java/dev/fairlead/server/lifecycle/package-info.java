/** How a session starts and what it may keep: the handshake, what it negotiated, the bytes. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.server.lifecycle;
