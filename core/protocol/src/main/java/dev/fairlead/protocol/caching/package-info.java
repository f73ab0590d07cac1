/**
 * For how long, and for whom, a result may be kept.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching Caching
 */
@NullMarked
package dev.fairlead.protocol.caching;

import org.jspecify.annotations.NullMarked;
