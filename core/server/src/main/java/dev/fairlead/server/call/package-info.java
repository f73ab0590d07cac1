/** Calls of handlers, and their access to their session and server. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.server.call;
