/** Streams of events: their state, the events that wait for their connections, and the writers. */
@NullMarked
package dev.fairlead.http.stream;

import org.jspecify.annotations.NullMarked;
