/** The server as its transports use it: sessions, and what all sessions share. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.server.session;
