/**
 * Streams of changes that clients of revision 2026-07-28 listen to.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 *     Subscriptions
 */
@NullMarked
package dev.fairlead.server.subscriptions;

import org.jspecify.annotations.NullMarked;
