/** The endpoint of HTTP+SSE, the deprecated transport of revision 2024-11-05. */
@NullMarked
package dev.fairlead.http.legacy;

import org.jspecify.annotations.NullMarked;
