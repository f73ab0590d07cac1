/**
 * Caching hints: for how long, and for whom, a result may be cached.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching Caching
 */
@NullMarked
package dev.fairlead.protocol.caching;

import org.jspecify.annotations.NullMarked;
