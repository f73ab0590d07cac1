/** Calls of handlers, and what they use of their session and server. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.server.call;
