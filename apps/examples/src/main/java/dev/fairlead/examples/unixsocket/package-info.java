/** A transport of one's own: MCP over Unix domain sockets. */
@NullMarked
package dev.fairlead.examples.unixsocket;

import org.jspecify.annotations.NullMarked;
