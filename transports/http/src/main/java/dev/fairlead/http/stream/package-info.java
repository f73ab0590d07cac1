/** Streams of events: their state, what waits for their connections, and the writers of those. */
@NullMarked
package dev.fairlead.http.stream;

import org.jspecify.annotations.NullMarked;
