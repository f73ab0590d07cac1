/**
 * Streams of changes that a client listens to.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 *     Subscriptions
 */
@NullMarked
package dev.fairlead.protocol.subscriptions;

import org.jspecify.annotations.NullMarked;
