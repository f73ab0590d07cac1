/**
 * HTTP requests as they are seen: behind trusted proxies, with paced bodies, with what the log
 * needs.
 */
@NullMarked
package dev.fairlead.http.exchange;

import org.jspecify.annotations.NullMarked;
