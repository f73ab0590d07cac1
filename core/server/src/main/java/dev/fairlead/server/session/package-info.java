/** The server as its transports use it: sessions, and the state that all sessions share. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.server.session;
