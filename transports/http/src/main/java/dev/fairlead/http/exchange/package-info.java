/**
 * HTTP requests as their handlers see them: behind trusted proxies, with paced bodies, with the
 * values for the log.
 */
@NullMarked
package dev.fairlead.http.exchange;

import org.jspecify.annotations.NullMarked;
