/** Requests that a node forwards to the owner of their session, and the wire between nodes. */
@NullMarked
package dev.fairlead.http.peer;

import org.jspecify.annotations.NullMarked;
