/** Requests of a client: interceptors, repetitions, lists, and tools as calls or tasks. */
@NullMarked
package dev.fairlead.client.calls;

import org.jspecify.annotations.NullMarked;
