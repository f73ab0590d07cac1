/**
 * The interface to the transport HTTP+SSE of revision 2024-11-05; {@code fairlead-http-legacy}
 * implements it.
 */
@NullMarked
package dev.fairlead.http.sse;

import org.jspecify.annotations.NullMarked;
