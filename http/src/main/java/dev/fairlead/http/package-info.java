/** Streamable HTTP: the engine-neutral endpoint, sessions, event store, and the client side. */
@NullMarked
package dev.fairlead.http;

import org.jspecify.annotations.NullMarked;
