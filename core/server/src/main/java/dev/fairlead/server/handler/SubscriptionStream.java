package dev.fairlead.server.handler;

/**
 * The stream of a client that listens to changes by {@code subscriptions/listen}. Changes that its
 * client did not ask for are dropped; so are those after its end. Methods return at once.
 * Thread-safe, not for implementation by users.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 *     Subscriptions
 */
public interface SubscriptionStream extends ClientChanges {}
