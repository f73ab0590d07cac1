/**
 * What the transport HTTP+SSE of revision 2024-11-05 is for this module; it is brought by {@code
 * fairlead-http-legacy}.
 */
@NullMarked
package dev.fairlead.http.sse;

import org.jspecify.annotations.NullMarked;
