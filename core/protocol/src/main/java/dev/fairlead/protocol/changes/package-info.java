/**
 * Changes of the features of a server, carried among all nodes that serve it.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 *     Subscriptions
 */
@NullMarked
package dev.fairlead.protocol.changes;

import org.jspecify.annotations.NullMarked;
